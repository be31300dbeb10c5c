// myxtts diagnose recommend: measures and recommends settings for a corpus on this machine.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/terminal.h"
#include "cli/config_args.h"
#include "cli/diagnose_commands.h"
#include "cli/diagnose_runs.h"
#include "cli/torch_library.h"
#include "config/training_config.h"
#include "config/write_yaml.h"
#include "diagnose/bottleneck.h"
#include "diagnose/recommend.h"
#include "rules/time_split.h"
#include "train/corpora.h"
#include "train/record_settings.h"

namespace myxtts::cli {
namespace {

constexpr const char* kRecommendExamples = R"(
Runs short trainings in a temporary folder for a minute or two and recommends length limits,
buckets, batch size, workers, buffer, cache, precision and devices, each with its measurement.
Settings without a clear gain stay unchanged.

Examples:
  myxtts diagnose recommend --train-data demo_corpus
  myxtts diagnose recommend --train-data demo_corpus --apply-check    verifies the gain in 3 rounds
  myxtts diagnose recommend --train-data demo_corpus --write best.yaml
  myxtts train --config best.yaml --checkpoint-dir runs/best --max-minutes 5)";

constexpr double kTrialSeconds = 3;  // approximate time in steps
constexpr int kFirstSteps = 6;       // of the first trial, which measures the step time
constexpr int kMinTrialSteps = 3;
constexpr int kMaxTrialSteps = 12;
constexpr int kTrialRounds = 2;  // the better one counts: other load only slows a trial down
constexpr int kCheckRounds = 3;
constexpr int kLoaderBatches = 16;
constexpr std::size_t kMaxMeasuredUtterances = 1024;  // for the length statistics
// Utterances of a trial in batches: enough for three signatures, and fast to prepare.
constexpr std::size_t kTrialBatches = 12;

struct RecommendArgs {
  ConfigArgs config;
  std::string file;
  bool apply_check = false;
  bool json = false;
};

// Resolves the arguments with `changes` applied. A change of data.shape_buckets replaces a
// data.pad_to_fixed_length flag, because both choose the shape plan.
config::Resolved resolve_with(ConfigArgs args, const std::vector<config::Override>& changes) {
  for (const config::Override& change : changes) {
    std::erase_if(args.flags, [&](const config::Override& flag) {
      return flag.key == change.key ||
             (change.key == "data.shape_buckets" && flag.key == "data.pad_to_fixed_length");
    });
    args.flags.push_back(change);
  }
  return resolve_for_runs(args);
}

diagnose::ShortRun train_trial(const api::TorchCommands& torch,
                               const config::Resolved& resolved,
                               int num_steps) {
  const auto batch = static_cast<std::size_t>(resolved.config.data.batch_size);
  return run_short_training(torch, resolved, {num_steps, kTrialBatches * batch, /*is_quiet=*/true});
}

// Runs one trial and records its speed. A trial may fail, e.g. if a batch size does not fit into
// memory; the failure is recorded in the trial.
diagnose::ShortRun run_trial(const api::TorchCommands& torch,
                             const ConfigArgs& args,
                             int num_steps,
                             diagnose::Trial& trial) {
  base::log("[diagnose] trial: {}\n", trial.name);
  diagnose::ShortRun run;
  try {
    run = train_trial(torch, resolve_with(args, trial.changes), num_steps);
  } catch (const UserError& error) {
    trial.fault = error.what();
    return run;
  }
  const double speed = diagnose::speed_of(run.summary);
  if (trial.speed && *trial.speed >= speed) return run;
  trial.speed = speed;
  trial.step_s = run.summary.step_s.p50;
  trial.wait_share = run.summary.wait_share;
  return run;
}

int steps_of_trials(const diagnose::Trial& first) {
  const double steps = kTrialSeconds / std::max(first.step_s, 1e-3);
  return static_cast<int>(std::clamp<double>(steps, kMinTrialSteps, kMaxTrialSteps));
}

// Replaces the length statistics of the trial's sample by those of more utterances.
void use_measured_lengths(diagnose::RecommendMeasured& measured) {
  const rules::CorpusStats lengths = train::record_lengths(measured.lengths);
  rules::CorpusStats& corpus = measured.record.corpus;
  corpus.mel_p50 = lengths.mel_p50;
  corpus.mel_p95 = lengths.mel_p95;
  corpus.mel_p99 = lengths.mel_p99;
  corpus.mel_max = lengths.mel_max;
  corpus.text_p99 = lengths.text_p99;
  corpus.text_max = lengths.text_max;
}

diagnose::RecommendMeasured measure(const api::TorchCommands& torch,
                                    const RecommendArgs& args,
                                    const config::Config& config,
                                    diagnose::BottleneckReport& report) {
  diagnose::RecommendMeasured measured{.config = config};
  measured.lengths = train::load_corpora(config,
                                         config::num_workers_of(config.data),
                                         /*maker=*/nullptr,
                                         kMaxMeasuredUtterances)
                         .training.lengths();
  measured.num_utterances = report.record.corpus.utterances.value_or(0);
  measured.longest_pause_s = diagnose::longest_pause(report.loader.batch_s);
  measured.trials = diagnose::initial_trials(config, report.record.machine);
  diagnose::Trial& baseline = measured.trials.front();
  diagnose::ShortRun first = run_trial(torch, args.config, kFirstSteps, baseline);
  require(baseline.speed.has_value(), "{}", baseline.fault);
  const int steps = steps_of_trials(baseline);
  diagnose::add_run(report, std::move(first));
  measured.record = report.record;
  use_measured_lengths(measured);
  for (int round = 0; round < kTrialRounds; ++round) {
    for (diagnose::Trial& trial : measured.trials) {
      const bool is_first = round == 0 && &trial == &measured.trials.front();
      if (!is_first && trial.fault.empty()) run_trial(torch, args.config, steps, trial);
    }
  }
  while (auto further = diagnose::next_trial(config, measured.trials)) {
    run_trial(torch, args.config, steps, *further);
    measured.trials.push_back(std::move(*further));
  }
  return measured;
}

diagnose::ApplyCheck check_gain(const api::TorchCommands& torch,
                                const ConfigArgs& args,
                                const std::vector<config::Override>& changes,
                                int num_steps) {
  diagnose::ApplyCheck check;
  if (changes.empty()) return check;
  for (int round = 1; round <= kCheckRounds; ++round) {
    base::log("[diagnose] before and after, round {} of {}\n", round, kCheckRounds);
    const auto speed = [&](const std::vector<config::Override>& with) {
      return diagnose::speed_of(train_trial(torch, resolve_with(args, with), num_steps).summary);
    };
    try {
      const double before = speed({});
      const double after = speed(changes);
      check.before.push_back(before);
      check.after.push_back(after);
    } catch (const UserError& error) {  // reported with the rounds measured so far
      check.fault = error.what();
      return check;
    }
  }
  return check;
}

void run_recommend(const RecommendArgs& args) {
  const config::Resolved resolved = resolve_for_runs(args.config);
  const config::Config& config = resolved.config;
  const api::TorchCommands& torch = torch_commands(config::threads_of(config.training));
  log_warnings(resolved);
  base::log("[diagnose] measuring the loading stages, then the loader\n");
  diagnose::BottleneckReport report = diagnose::measure_bottleneck(config, kLoaderBatches);
  diagnose::Recommendation recommendation{.corpus = report.corpus};
  recommendation.measured = measure(torch, args, config, report);
  recommendation.advice = diagnose::advise(recommendation.measured);
  const std::vector<config::Override> changes = diagnose::changes_of(recommendation.advice);
  if (args.apply_check) {
    recommendation.check = check_gain(
        torch, args.config, changes, steps_of_trials(recommendation.measured.trials.front()));
  }
  if (args.json) {
    fmt::print("{}\n", diagnose::to_json(recommendation).dump());
  } else {
    fmt::print("{}", diagnose::to_text(recommendation));
  }
  if (args.file.empty()) return;
  base::write_file_atomically(args.file, config::write_yaml(resolve_with(args.config, changes)));
  base::log("[diagnose] wrote {}\nNext: myxtts train --config {}\n", args.file, args.file);
}

}  // namespace

void add_diagnose_recommend_command(CLI::App& diagnose) {
  auto args = std::make_shared<RecommendArgs>();
  CLI::App* command = diagnose.add_subcommand(
      "recommend", "Recommend training settings for a corpus on this machine");
  command->footer(kRecommendExamples);
  add_config_options(*command, args->config, loading_flag_keys());
  command
      ->add_option("--write", args->file, "Output configuration file with the recommended settings")
      ->type_name("FILE");
  command->add_flag("--apply-check",
                    args->apply_check,
                    "Measure before and after alternately; 'no gain' is a valid result");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_recommend(*args); });
}

}  // namespace myxtts::cli
