// myxtts diagnose: why is it slow?

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/run_config.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "diagnose/bottleneck.h"
#include "diagnose/retracing.h"
#include "diagnose/run_lanes.h"
#include "diagnose/short_run.h"
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

constexpr const char* kBottleneckExamples = R"(
Measures what it costs to make a row of a batch, stage by stage; then the loader alone; then real
training steps with the loader beside them, in a temporary folder. Says which of them holds a
training up, and what to do. Exit 0: healthy; 1: something was found, with its remedy.

Examples:
  myxtts diagnose bottleneck --train-data demo_corpus --batch-size 16 --num-batches 50
  myxtts diagnose bottleneck --train-data demo_corpus --cache off --num-workers 1
  myxtts diagnose bottleneck --train-data demo_corpus --html bottleneck.html --json)";

constexpr const char* kDiagnoseExamples = R"(
Examples:
  myxtts diagnose bottleneck --train-data demo_corpus
  myxtts diagnose retracing --config configs/config.yaml --train-data demo_corpus)";

constexpr int kMostSteps = 1000;

struct BottleneckArgs {
  ConfigArgs config;
  int num_batches = 50;
  std::string html;
  bool json = false;
};

struct RetracingArgs {
  ConfigArgs config;
  int steps = 10;
  bool json = false;
};

// As `train` does without a run: nothing is said before the program has started anew.
config::Resolved resolve_for_steps(const ConfigArgs& args) {
  config::Layers layers{.run_file = {}, .file = {}, .sets = args.sets, .flags = args.flags};
  if (!args.file.empty()) layers.file = args.file;
  config::Resolved resolved = config::resolve(layers);
  make_paths_absolute(resolved.config);
  return resolved;
}

void say_warnings(const config::Resolved& resolved) {
  for (const std::string& warning : resolved.warnings)
    base::say("[config] warning: {}\n", warning);
}

void run_retracing(const RetracingArgs& args) {
  require_usage(
      args.steps >= 1 && args.steps <= kMostSteps, "--steps {}: 1 to {}", args.steps, kMostSteps);
  const config::Resolved resolved = resolve_for_steps(args.config);
  const config::Config& config = resolved.config;
  const TensorVerbs& verbs = tensor_verbs(config::threads_of(config.training));
  say_warnings(resolved);
  base::say("[diagnose] looking at the batches of an epoch\n");
  diagnose::RetracingReport report = diagnose::check_shapes(
      config, train::load_corpora(config, config::num_workers_of(config.data)), args.steps);
  if (!report.is_refused) {
    const base::TemporaryFolder folder("myxtts-diagnose");
    base::say("[diagnose] training for {} steps; what it writes is removed again\n", args.steps);
    verbs.train(diagnose::short_run(resolved, folder.path(), args.steps));
    diagnose::add_steps(report, diagnose::read_run_steps(folder.path() / "metrics.jsonl"));
  }
  if (args.json) {
    fmt::print("{}\n", diagnose::to_json(report).dump());
  } else {
    fmt::print("{}", diagnose::to_text(report));
  }
  if (!verdict::is_healthy(report.findings)) throw FoundSomething();
}

void run_bottleneck(const BottleneckArgs& args) {
  require_usage(args.num_batches >= 2 && args.num_batches <= kMostSteps,
                "--num-batches {}: 2 to {}",
                args.num_batches,
                kMostSteps);
  const config::Resolved resolved = resolve_for_steps(args.config);
  const config::Config& config = resolved.config;
  const TensorVerbs* verbs =
      has_tensor_verbs() ? &tensor_verbs(config::threads_of(config.training)) : nullptr;
  say_warnings(resolved);
  base::say("[diagnose] measuring the stages of loading, then the loader\n");
  diagnose::BottleneckReport report = diagnose::measure_bottleneck(config, args.num_batches);
  std::vector<diagnose::RunStep> steps;
  if (verbs != nullptr) {
    const base::TemporaryFolder folder("myxtts-diagnose");
    base::say("[diagnose] training for {} steps; what it writes is removed again\n",
              args.num_batches);
    train::TrainRequest request = diagnose::short_run(resolved, folder.path(), args.num_batches);
    request.trace_file = (folder.path() / "trace.json").string();
    verbs->train(request);
    steps = diagnose::read_run_steps(folder.path() / "metrics.jsonl");
    report.lanes = diagnose::read_lanes(request.trace_file);
  }
  diagnose::judge_bottleneck(report, std::move(steps));
  if (args.json) {
    fmt::print("{}\n", diagnose::to_json(report).dump());
  } else {
    fmt::print("{}", diagnose::to_text(report));
  }
  if (!args.html.empty()) {
    base::write_file_atomically(args.html, diagnose::to_html(report));
    base::say("[diagnose] the page: {}\n", args.html);
  }
  if (!verdict::is_healthy(report.findings)) throw FoundSomething();
}

void add_retracing(CLI::App& diagnose) {
  auto args = std::make_shared<RetracingArgs>();
  CLI::App* command = diagnose.add_subcommand(
      "retracing", "Will a training have shapes that nothing was prepared for?");
  command->footer(kRetracingExamples);
  add_config_options(*command,
                     args->config,
                     {
                         "data.dataset_path",
                         "model.model_size",
                         "data.batch_size",
                         "data.pad_to_fixed_length",
                         "data.shape_buckets",
                         "data.max_text_length",
                         "data.max_mel_frames",
                         "training.gradient_accumulation_steps",
                         "training.device",
                         "training.precision",
                         "training.threads",
                         "data.num_workers",
                         "data.language",
                         "data.use_phonemes",
                     });
  command->add_option("--steps", args->steps, "Training steps to make")->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_retracing(*args); });
}

void add_bottleneck(CLI::App& diagnose) {
  auto args = std::make_shared<BottleneckArgs>();
  CLI::App* command =
      diagnose.add_subcommand("bottleneck", "Which stage between disk and model is too slow?");
  command->footer(kBottleneckExamples);
  add_config_options(*command,
                     args->config,
                     {
                         "data.dataset_path",
                         "model.model_size",
                         "data.batch_size",
                         "data.pad_to_fixed_length",
                         "data.shape_buckets",
                         "data.max_text_length",
                         "data.max_mel_frames",
                         "training.gradient_accumulation_steps",
                         "training.device",
                         "training.precision",
                         "training.threads",
                         "data.num_workers",
                         "data.pipeline_buffer_size",
                         "data.data_device",
                         "data.model_device",
                         "data.feature_cache",
                         "data.cache_dir",
                         "data.language",
                         "data.use_phonemes",
                     });
  command->add_option("--num-batches", args->num_batches, "Batches to load and to train with")
      ->capture_default_str();
  command->add_option("--html", args->html, "Write a page with pictures")->type_name("FILE");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_bottleneck(*args); });
}

}  // namespace

void add_diagnose_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("diagnose", "Find out why a training is slow, or will be");
  command->require_subcommand(1);
  command->footer(kDiagnoseExamples);
  add_retracing(*command);
  add_bottleneck(*command);
}

}  // namespace xtts::cli
