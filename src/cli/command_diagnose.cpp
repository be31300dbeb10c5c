// myxtts diagnose: why is it slow?

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/diagnose_commands.h"

namespace xtts::cli {
namespace {

constexpr const char* kDiagnoseExamples = R"(
Examples:
  myxtts diagnose bottleneck --train-data demo_corpus             which stage is too slow?
  myxtts diagnose recommend --train-data demo_corpus              which settings suit this machine?
  myxtts diagnose retracing --config configs/config.yaml --train-data demo_corpus
                                                                  will shapes be prepared anew?)";

}  // namespace

void add_diagnose_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("diagnose", "Find out why a training is slow, or will be");
  command->require_subcommand(1);
  command->footer(kDiagnoseExamples);
  add_diagnose_retracing_command(*command);
  add_diagnose_bottleneck_command(*command);
  add_diagnose_recommend_command(*command);
}

}  // namespace xtts::cli
