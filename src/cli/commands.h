// One function per verb; each lives in command_<verb>.cpp with its arguments and its work.
#pragma once

namespace CLI {
class App;
}

namespace xtts::cli {

void add_audio_command(CLI::App& app);
void add_config_command(CLI::App& app);
void add_corpus_command(CLI::App& app);
void add_demo_command(CLI::App& app);
void add_stats_command(CLI::App& app);
void add_text_command(CLI::App& app);

}  // namespace xtts::cli
