// myxtts corpus: groups the subcommands that generate and check corpora.

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/corpus_commands.h"

namespace myxtts::cli {
namespace {

constexpr const char* kCorpusExamples = R"(
Examples:
  myxtts corpus demo --out demo_corpus          600 synthetic utterances
  myxtts corpus check demo_corpus               lists unusable utterances)";

}  // namespace

void add_corpus_command(CLI::App& app) {
  CLI::App* corpus = app.add_subcommand("corpus", "Generate a demo corpus or check a corpus");
  corpus->require_subcommand(1);
  corpus->footer(kCorpusExamples);
  add_corpus_demo_command(*corpus);
  add_corpus_check_command(*corpus);
}

}  // namespace myxtts::cli
