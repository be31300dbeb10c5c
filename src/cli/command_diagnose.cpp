// myxtts diagnose: groups the subcommands that explain slow training.

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/diagnose_commands.h"

namespace myxtts::cli {
namespace {

constexpr const char* kDiagnoseExamples = R"(
Examples:
  myxtts diagnose bottleneck --train-data demo_corpus             finds the slowest stage
  myxtts diagnose recommend --train-data demo_corpus              recommends settings for this machine
  myxtts diagnose retracing --config configs/config.yaml --train-data demo_corpus
                                                                  predicts retraces)";

}  // namespace

void add_diagnose_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("diagnose", "Find out why training is slow");
  command->require_subcommand(1);
  command->footer(kDiagnoseExamples);
  add_diagnose_retracing_command(*command);
  add_diagnose_bottleneck_command(*command);
  add_diagnose_recommend_command(*command);
}

}  // namespace myxtts::cli
