// myxtts corpus: what is done to a corpus before training; each subcommand has a file of its own.

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/corpus_commands.h"

namespace xtts::cli {
namespace {

constexpr const char* kCorpusExamples = R"(
Examples:
  myxtts corpus demo --out demo_corpus          600 spoken sentences to try everything with
  myxtts corpus check demo_corpus               every bad recording with its reason)";

}  // namespace

void add_corpus_command(CLI::App& app) {
  CLI::App* corpus = app.add_subcommand("corpus", "Make a demo corpus, or check one of your own");
  corpus->require_subcommand(1);
  corpus->footer(kCorpusExamples);
  add_corpus_demo_command(*corpus);
  add_corpus_check_command(*corpus);
}

}  // namespace xtts::cli
