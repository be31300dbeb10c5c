#include "cli/program.h"

#include <cstdio>
#include <exception>
#include <new>
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
#include "cli/shell_words.h"

namespace xtts::cli {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;
constexpr int kExitBug = 70;  // EX_SOFTWARE
constexpr int kExitSignal = 128;

constexpr const char* kProgramExamples = R"(
Examples:
  myxtts demo --out runs/demo                    a corpus, its check, its statistics, a report
  myxtts corpus check path/to/corpus             every bad recording with its reason
  myxtts stats --train-data path/to/corpus       lengths, histograms, the flags to use
  myxtts top runs/voice                          a running training, and what limits it
  myxtts diagnose retracing --train-data path/to/corpus   will its steps be prepared again?
  myxtts text 'Dr. Smith paid $5.'               what the model will be asked to say
  myxtts audio clip.wav --png mel.png            what the model will hear
  myxtts speak --checkpoint runs/voice --text 'Good morning.' --out speech.wav
  myxtts evaluate runs/voice --text lines.txt    how well it is understood, by a judge you name

Each verb has its own examples: myxtts VERB --help
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

// The verb that was being parsed when the error came: the deepest one that was named.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty())
    verb = verb->get_subcommands().front();
  return *verb;
}

// Everything that could have been typed after this verb: its flags and its own verbs.
std::vector<std::string> possible_words(const CLI::App& verb) {
  std::vector<std::string> words;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames())
      words.push_back("--" + name);
  }
  for (const CLI::App* inner : verb.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(inner->get_name());
  }
  return words;
}

// "myxtts corpus check": what to type before --help.
std::string full_name(const CLI::App& verb) {
  const CLI::App* parent = verb.get_parent();
  return parent == nullptr ? verb.get_name() : full_name(*parent) + " " + verb.get_name();
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = innermost(app);
  const std::vector<std::string> unknown = verb.remaining();
  if (unknown.empty()) {
    base::say("myxtts: {}\n", error.what());
  } else {
    // "--batch=8" was meant as a flag: compare the name alone.
    const std::string word = unknown.front().substr(0, unknown.front().find('='));
    base::say(
        "myxtts: '{}' is not known here{}\n", word, base::did_you_mean(word, possible_words(verb)));
  }
  base::say("Run '{} --help' for what there is.\n", full_name(verb));
  return kExitUsage;
}

int report(int exit_code, std::string_view preface, std::string_view message) {
  base::say("myxtts: {}{}\n", preface, message);
  return exit_code;
}

// The failure that is being handled, in one line and one exit code.
int explain_failure() {
  if (const int signal = base::pending_interrupt(); signal != 0) {
    base::say("\nmyxtts: stopped by signal {}; run the same command to go on\n", signal);
    return kExitSignal + signal;
  }
  try {
    throw;
  } catch (const FoundSomething&) {
    return kExitFailure;  // the verb has said what
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

// An answer that did not reach its reader is no answer.
void require_written_answer() {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  require(written, "the answer could not be written to standard output: is the disk full?");
}

}  // namespace

int run_program(int argc, char** argv) {
  base::catch_interrupts();
  set_program_name(argv[0]);
  CLI::App app("Train a voice, listen to it, and find out why it sounds the way it does.",
               "myxtts");
  app.set_version_flag("--version", [] { return base::version_text(); });
  app.footer(kProgramExamples);
  app.require_subcommand(1);
  try {
    add_commands(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) return report_usage(app, error);
      app.exit(error);  // --help and --version arrive here
    }
    require_written_answer();
    base::check_interrupt();
    return 0;
  } catch (...) {
    return explain_failure();
  }
}

}  // namespace xtts::cli
