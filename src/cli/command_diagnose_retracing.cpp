// myxtts diagnose retracing: checks whether training would retrace, before a run is started.

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/diagnose_commands.h"
#include "cli/diagnose_runs.h"
#include "cli/shell_command.h"
#include "cli/torch_library.h"
#include "config/training_config.h"
#include "diagnose/retracing.h"
#include "train/corpora.h"

namespace myxtts::cli {
namespace {

constexpr const char* kRetracingExamples = R"(
Validates the settings that determine shapes, checks every batch of an epoch and real batches of the
loader, and runs a few training steps in a temporary folder. The run folder is not touched. Exit
code 0: healthy; 1: problems found.

Examples:
  myxtts diagnose retracing --config configs/config.yaml --train-data demo_corpus --steps 10
  myxtts diagnose retracing --train-data demo_corpus --enable-static-shapes --batch-size 8
  myxtts diagnose retracing --train-data demo_corpus --shape-buckets 4 --json)";

struct RetracingArgs {
  ConfigArgs config;
  int steps = 10;
  bool json = false;
};

void run_retracing(const RetracingArgs& args) {
  require_usage(args.steps >= 1 && args.steps <= kMaxDiagnosedSteps,
                "--steps {}: expected 1 to {}",
                args.steps,
                kMaxDiagnosedSteps);
  const config::Resolved resolved = resolve_for_runs(args.config);
  const config::Config& config = resolved.config;
  const api::TorchCommands& torch = torch_commands(config::threads_of(config.training));
  log_warnings(resolved);
  base::log("[diagnose] checking the batches of an epoch\n");
  diagnose::RetracingReport report = diagnose::check_shapes(
      config, train::load_corpora(config, config::num_workers_of(config.data)), args.steps);
  if (!report.is_refused) {
    base::log("[diagnose] training for {} steps in a temporary folder\n", args.steps);
    diagnose::add_steps(report, run_short_training(torch, resolved, {args.steps}).steps);
  }
  rules::complete_suggestions(report.findings, suggestion_flags(args.config));
  if (args.json) {
    fmt::print("{}\n", diagnose::to_json(report).dump());
  } else {
    fmt::print("{}", diagnose::to_text(report));
  }
  if (!rules::is_healthy(report.findings)) throw ProblemsFound();
}

}  // namespace

void add_diagnose_retracing_command(CLI::App& diagnose) {
  auto args = std::make_shared<RetracingArgs>();
  CLI::App* command = diagnose.add_subcommand(
      "retracing", "Check whether training would retrace (meet unplanned shapes)");
  command->footer(kRetracingExamples);
  add_config_options(*command, args->config, shape_flag_keys());
  command->add_option("--steps", args->steps, "Training steps")->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_retracing(*args); });
}

}  // namespace myxtts::cli
