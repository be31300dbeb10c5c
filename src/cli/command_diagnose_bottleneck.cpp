// myxtts diagnose bottleneck: measures every stage from disk to training step.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/diagnose_commands.h"
#include "cli/diagnose_runs.h"
#include "cli/shell_command.h"
#include "cli/torch_library.h"
#include "config/training_config.h"
#include "diagnose/bottleneck.h"

namespace myxtts::cli {
namespace {

constexpr const char* kBottleneckExamples = R"(
Measures the stages of loading one utterance, then the loader alone, then real training steps with
the loader, in a temporary folder. Reports what limits training and what to change. Exit code 0:
healthy; 1: problems found.

Examples:
  myxtts diagnose bottleneck --train-data demo_corpus --batch-size 16 --num-batches 50
  myxtts diagnose bottleneck --train-data demo_corpus --cache off --num-workers 1
  myxtts diagnose bottleneck --train-data demo_corpus --html bottleneck.html --json)";

constexpr int kMaxStepsAlone = 10;

struct BottleneckArgs {
  ConfigArgs config;
  int num_batches = 50;
  std::string html;
  bool json = false;
};

// Returns the cost of the model without waiting for data. With mels in memory the short run itself
// shows it; otherwise another short run with mels in memory measures it.
diagnose::ModelAlone model_alone(const api::TorchCommands& torch,
                                 const config::Resolved& resolved,
                                 const diagnose::ShortRun& run,
                                 int num_batches) {
  const std::string& cache = resolved.config.data.feature_cache;
  if (cache == "auto" || cache == "ram") return diagnose::model_alone(run.record);
  const int steps = std::min(num_batches, kMaxStepsAlone);
  base::log("[diagnose] training for {} steps with mels in memory\n", steps);
  return diagnose::model_alone(run_short_training_in_memory(torch, resolved, {steps}).record);
}

void run_bottleneck(const BottleneckArgs& args) {
  require_usage(args.num_batches >= 2 && args.num_batches <= kMaxDiagnosedSteps,
                "--num-batches {}: expected 2 to {}",
                args.num_batches,
                kMaxDiagnosedSteps);
  const config::Resolved resolved = resolve_for_runs(args.config);
  const config::Config& config = resolved.config;
  const api::TorchCommands* torch =
      has_torch_commands() ? &torch_commands(config::threads_of(config.training)) : nullptr;
  log_warnings(resolved);
  base::log("[diagnose] measuring the loading stages, then the loader\n");
  diagnose::BottleneckReport report = diagnose::measure_bottleneck(config, args.num_batches);
  if (torch != nullptr) {
    base::log("[diagnose] training for {} steps in a temporary folder\n", args.num_batches);
    diagnose::ShortRun run = run_short_training(*torch, resolved, {args.num_batches});
    report.model = model_alone(*torch, resolved, run, args.num_batches);
    diagnose::add_run(report, std::move(run));
  }
  diagnose::bottleneck_findings(report);
  rules::complete_suggestions(report.findings, suggestion_flags(args.config));
  if (args.json) {
    fmt::print("{}\n", diagnose::to_json(report).dump());
  } else {
    fmt::print("{}", diagnose::to_text(report));
  }
  if (!args.html.empty()) {
    base::write_file_atomically(args.html, diagnose::to_html(report));
    base::log("[diagnose] wrote {}\n", args.html);
  }
  if (!rules::is_healthy(report.findings)) throw ProblemsFound();
}

}  // namespace

void add_diagnose_bottleneck_command(CLI::App& diagnose) {
  auto args = std::make_shared<BottleneckArgs>();
  CLI::App* command =
      diagnose.add_subcommand("bottleneck", "Find the slowest stage between disk and model");
  command->footer(kBottleneckExamples);
  add_config_options(*command, args->config, loading_flag_keys());
  command->add_option("--num-batches", args->num_batches, "Batches to load and steps to train")
      ->capture_default_str();
  command->add_option("--html", args->html, "Output HTML report with charts")->type_name("FILE");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_bottleneck(*args); });
}

}  // namespace myxtts::cli
