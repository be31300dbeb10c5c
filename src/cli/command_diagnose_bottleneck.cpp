// myxtts diagnose bottleneck: which stage between disk and model is too slow?

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
#include "cli/shell_words.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "diagnose/bottleneck.h"

namespace xtts::cli {
namespace {

constexpr const char* kBottleneckExamples = R"(
Measures what it costs to make a row of a batch, stage by stage; then the loader alone; then real
training steps with the loader beside them, in a temporary folder. Says which of them holds a
training up, and what to do. Exit 0: healthy; 1: something was found, with its remedy.

Examples:
  myxtts diagnose bottleneck --train-data demo_corpus --batch-size 16 --num-batches 50
  myxtts diagnose bottleneck --train-data demo_corpus --cache off --num-workers 1
  myxtts diagnose bottleneck --train-data demo_corpus --html bottleneck.html --json)";

constexpr int kMostStepsAlone = 10;

struct BottleneckArgs {
  ConfigArgs config;
  int num_batches = 50;
  std::string html;
  bool json = false;
};

// Mels that are in memory leave the model nothing to wait for: then the training itself shows what
// the model costs alone.
diagnose::ModelAlone model_alone(const TensorVerbs& verbs,
                                 const config::Resolved& resolved,
                                 const diagnose::ShortRun& run,
                                 int num_batches) {
  const std::string& cache = resolved.config.data.feature_cache;
  if (cache == "auto" || cache == "ram") return diagnose::model_alone(run.record);
  const int steps = std::min(num_batches, kMostStepsAlone);
  base::say("[diagnose] training for {} steps with the mels in memory\n", steps);
  return diagnose::model_alone(train_shortly_from_memory(verbs, resolved, {steps}).record);
}

void run_bottleneck(const BottleneckArgs& args) {
  require_usage(args.num_batches >= 2 && args.num_batches <= kMostDiagnosedSteps,
                "--num-batches {}: 2 to {}",
                args.num_batches,
                kMostDiagnosedSteps);
  const config::Resolved resolved = resolve_for_runs(args.config);
  const config::Config& config = resolved.config;
  const TensorVerbs* verbs =
      has_tensor_verbs() ? &tensor_verbs(config::threads_of(config.training)) : nullptr;
  say_warnings(resolved);
  base::say("[diagnose] measuring the stages of loading, then the loader\n");
  diagnose::BottleneckReport report = diagnose::measure_bottleneck(config, args.num_batches);
  if (verbs != nullptr) {
    base::say("[diagnose] training for {} steps; what it writes is removed again\n",
              args.num_batches);
    diagnose::ShortRun run = train_shortly(*verbs, resolved, {args.num_batches});
    report.model = model_alone(*verbs, resolved, run, args.num_batches);
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
    base::say("[diagnose] the page: {}\n", args.html);
  }
  if (!rules::is_healthy(report.findings)) throw FoundSomething();
}

}  // namespace

void add_diagnose_bottleneck_command(CLI::App& diagnose) {
  auto args = std::make_shared<BottleneckArgs>();
  CLI::App* command =
      diagnose.add_subcommand("bottleneck", "Which stage between disk and model is too slow?");
  command->footer(kBottleneckExamples);
  add_config_options(*command, args->config, loading_flag_keys());
  command->add_option("--num-batches", args->num_batches, "Batches to load and to train with")
      ->capture_default_str();
  command->add_option("--html", args->html, "Write a page with pictures")->type_name("FILE");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_bottleneck(*args); });
}

}  // namespace xtts::cli
