#include "cli/program.h"

#include <cstdio>
#include <exception>
#include <new>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "base/terminal.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/shell_command.h"

namespace myxtts::cli {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;
constexpr int kExitBug = 70;  // EX_SOFTWARE
constexpr int kExitSignal = 128;

constexpr const char* kProgramExamples = R"(
Examples:
  myxtts demo --out runs/demo                    corpus, training, synthesis and an HTML report
  myxtts corpus check path/to/corpus             lists unusable utterances
  myxtts stats --train-data path/to/corpus       length statistics and recommended limits
  myxtts train --train-data path/to/corpus --checkpoint-dir runs/voice
  myxtts top runs/voice                          monitors a training run
  myxtts diagnose retracing --train-data path/to/corpus   predicts retraces
  myxtts text 'Dr. Smith paid $5.'               normalisation, phonemes and symbols
  myxtts audio clip.wav --png mel.png            mel spectrogram of a recording
  myxtts speak --checkpoint runs/voice --text 'Good morning.' --out speech.wav
  myxtts evaluate runs/voice --text lines.txt    scores the voice, e.g. WER

Each command has examples: myxtts COMMAND --help
)";

void add_commands(CLI::App& app) {
  add_demo_command(app);
  add_corpus_command(app);
  add_stats_command(app);
  add_train_command(app);
  add_train_vocoder_command(app);
  add_top_command(app);
  add_diagnose_command(app);
  add_text_command(app);
  add_audio_command(app);
  add_speak_command(app);
  add_evaluate_command(app);
  add_inspect_command(app);
  add_export_command(app);
  add_config_command(app);
  add_bench_command(app);
}

// Shows N and X for integers and numbers instead of CLI11's type names.
void use_short_placeholders(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string name = option->get_type_name();
    const std::string type = name.substr(0, name.find(':'));
    if (type == "INT" || type == "UINT") option->type_name("N");
    if (type == "FLOAT") option->type_name("X");
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    use_short_placeholders(*command);
}

// Returns the innermost command that was parsed before the error.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty())
    command = command->get_subcommands().front();
  return *command;
}

// Returns the flags and subcommands of a command.
std::vector<std::string> known_arguments(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(inner->get_name());
  }
  return names;
}

// Returns e.g. "myxtts corpus check".
std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

// Returns the message of an error on the command line. Replaces three texts of CLI11, such as
// "--interval: Value 0 not in range 0.100000 to 3600.000000".
std::string usage_message(const CLI::ParseError& error) {
  const std::string text = error.what();
  std::smatch part;
  if (std::regex_match(text, part, std::regex(R"((\S+): 1 required (.+) missing)"))) {
    return fmt::format("{}: no value given; expected {}", part.str(1), part.str(2));
  }
  if (std::regex_match(text, part, std::regex(R"(Could not convert: (\S+) = (.*))"))) {
    return fmt::format("{} {}: expected a number", part.str(1), part.str(2));
  }
  if (std::regex_match(
          text, part, std::regex(R"((\S+): Value (.*) not in range (\S+) to (\S+))"))) {
    const double low = std::stod(part.str(3));
    const double high = std::stod(part.str(4));
    const std::string limit = high < 1e9 ? fmt::format("to {:g}", high) : "or more";
    return fmt::format("{} {}: expected {:g} {}", part.str(1), part.str(2), low, limit);
  }
  return text;
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::vector<std::string> unknown = command.remaining();
  if (unknown.empty()) {
    base::log("myxtts: {}\n", usage_message(error));
  } else {
    // For "--batch=8" compare only the name.
    const std::string word = unknown.front().substr(0, unknown.front().find('='));
    base::log("myxtts: unknown argument '{}'{}\n",
              word,
              base::did_you_mean(word, known_arguments(command)));
  }
  base::log("Run '{} --help' for usage.\n", full_name(command));
  return kExitUsage;
}

int report(int exit_code, std::string_view preface, std::string_view message) {
  base::log("myxtts: {}{}\n", preface, message);
  return exit_code;
}

// Reports the exception being handled in one line. Returns the exit code.
int report_failure() {
  if (const int signal = base::pending_interrupt(); signal != 0) {
    base::log("\nmyxtts: stopped by signal {}; run the same command to continue\n", signal);
    return kExitSignal + signal;
  }
  try {
    throw;
  } catch (const ProblemsFound&) {
    return kExitFailure;  // already reported by the command
  } catch (const BugError& error) {
    return report(kExitBug, "this is a bug in myxtts, please report it: ", error.what());
  } catch (const UsageError& error) {
    return report(kExitUsage, "", error.what());
  } catch (const UserError& error) {
    return report(kExitFailure, "", error.what());
  } catch (const std::bad_alloc&) {
    return report(kExitFailure, "", "out of memory: close other programs or use fewer workers");
  } catch (const std::exception& error) {
    return report(kExitFailure, "", first_line(error.what()));
  }
}

// Throws if standard output could not be written completely.
void require_written_output() {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  require(written, "cannot write to standard output; check for a full disk");
}

}  // namespace

int run_program(int argc, char** argv) {
  base::catch_interrupts();
  set_program_name(argv[0]);
  CLI::App app("Train text-to-speech models with voice cloning, and synthesise speech.", "myxtts");
  app.set_version_flag("--version", [] { return base::version_text(); });
  app.footer(kProgramExamples);
  app.require_subcommand(1);
  try {
    add_commands(app);
    use_short_placeholders(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) return report_usage(app, error);
      app.exit(error);  // --help and --version arrive here
    }
    require_written_output();
    base::check_interrupt();
    return 0;
  } catch (...) {
    return report_failure();
  }
}

}  // namespace myxtts::cli
