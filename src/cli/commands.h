// Adds the commands of the program, each defined in command_<name>.cpp.
#pragma once

#include <exception>

namespace CLI {
class App;
}

namespace myxtts::cli {

// Thrown by a command that has reported problems: exit code 1 without another message.
class ProblemsFound : public std::exception {
 public:
  const char* what() const noexcept override { return "problems were found"; }
};

void add_audio_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_config_command(CLI::App& app);
void add_corpus_command(CLI::App& app);
void add_demo_command(CLI::App& app);
void add_diagnose_command(CLI::App& app);
void add_evaluate_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_inspect_command(CLI::App& app);
void add_speak_command(CLI::App& app);
void add_stats_command(CLI::App& app);
void add_text_command(CLI::App& app);
void add_top_command(CLI::App& app);
void add_train_command(CLI::App& app);
void add_train_vocoder_command(CLI::App& app);

}  // namespace myxtts::cli
