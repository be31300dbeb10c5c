// myxtts diagnose: why is it slow?

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/run_config.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "diagnose/retracing.h"
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

constexpr const char* kDiagnoseExamples = R"(
Examples:
  myxtts diagnose retracing --config configs/config.yaml --train-data demo_corpus)";

constexpr int kMostSteps = 1000;

struct RetracingArgs {
  ConfigArgs config;
  int steps = 10;
  bool json = false;
};

void run_retracing(const RetracingArgs& args) {
  require_usage(
      args.steps >= 1 && args.steps <= kMostSteps, "--steps {}: 1 to {}", args.steps, kMostSteps);
  config::Layers layers{
      .run_file = {}, .file = {}, .sets = args.config.sets, .flags = args.config.flags};
  if (!args.config.file.empty()) layers.file = args.config.file;
  config::Resolved resolved = config::resolve(layers);
  make_paths_absolute(resolved.config);
  const config::Config& config = resolved.config;
  const TensorVerbs& verbs = tensor_verbs(config::threads_of(config.training));
  for (const std::string& warning : resolved.warnings)
    base::say("[config] warning: {}\n", warning);
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

}  // namespace

void add_diagnose_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("diagnose", "Find out why a training is slow, or will be");
  command->require_subcommand(1);
  command->footer(kDiagnoseExamples);
  add_retracing(*command);
}

}  // namespace xtts::cli
