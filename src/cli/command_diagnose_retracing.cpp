// myxtts diagnose retracing: will a training have shapes that nothing was prepared for?

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
#include "cli/shell_words.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "diagnose/retracing.h"
#include "train/corpora.h"

namespace xtts::cli {
namespace {

constexpr const char* kRetracingExamples = R"(
Before a training is spent: validates the settings that decide over shapes, looks at every batch of
an epoch and at real ones from the loader, and makes some real training steps in a temporary folder;
the run folder is not touched. Exit 0: healthy; 1: something was found, with its remedy.

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
  require_usage(args.steps >= 1 && args.steps <= kMostDiagnosedSteps,
                "--steps {}: 1 to {}",
                args.steps,
                kMostDiagnosedSteps);
  const config::Resolved resolved = resolve_for_runs(args.config);
  const config::Config& config = resolved.config;
  const TensorVerbs& verbs = tensor_verbs(config::threads_of(config.training));
  say_warnings(resolved);
  base::say("[diagnose] looking at the batches of an epoch\n");
  diagnose::RetracingReport report = diagnose::check_shapes(
      config, train::load_corpora(config, config::num_workers_of(config.data)), args.steps);
  if (!report.is_refused) {
    base::say("[diagnose] training for {} steps; what it writes is removed again\n", args.steps);
    diagnose::add_steps(report, train_shortly(verbs, resolved, {args.steps}).steps);
  }
  rules::complete_suggestions(report.findings, suggestion_flags(args.config));
  if (args.json) {
    fmt::print("{}\n", diagnose::to_json(report).dump());
  } else {
    fmt::print("{}", diagnose::to_text(report));
  }
  if (!rules::is_healthy(report.findings)) throw FoundSomething();
}

}  // namespace

void add_diagnose_retracing_command(CLI::App& diagnose) {
  auto args = std::make_shared<RetracingArgs>();
  CLI::App* command = diagnose.add_subcommand(
      "retracing", "Will a training have shapes that nothing was prepared for?");
  command->footer(kRetracingExamples);
  add_config_options(*command, args->config, shape_flag_keys());
  command->add_option("--steps", args->steps, "Training steps to make")->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_retracing(*args); });
}

}  // namespace xtts::cli
