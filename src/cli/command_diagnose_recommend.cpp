// myxtts diagnose recommend: which settings suit this corpus on this machine?

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
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "config/write_yaml.h"
#include "diagnose/bottleneck.h"
#include "diagnose/recommend.h"
#include "rules/time_split.h"
#include "train/corpora.h"
#include "train/record_facts.h"

namespace xtts::cli {
namespace {

constexpr const char* kRecommendExamples = R"(
Profiles the corpus on this machine for a minute or two, by short trainings in a temporary folder,
and recommends lengths, buckets, batch size, workers, buffer, cache, precision and devices, each
with the measurement behind it. What is not clearly better stays as it is.

Examples:
  myxtts diagnose recommend --train-data demo_corpus
  myxtts diagnose recommend --train-data demo_corpus --apply-check    proves the gain, in 3 turns
  myxtts diagnose recommend --train-data demo_corpus --write best.yaml
  myxtts train --config best.yaml --checkpoint-dir runs/best --max-minutes 5)";

constexpr double kTrialSeconds = 3;  // of steps, about
constexpr int kFirstSteps = 6;       // of the trial that says how long a step takes
constexpr int kFewestTrialSteps = 3;
constexpr int kMostTrialSteps = 12;
constexpr int kTrialTurns = 2;  // the better one counts: whatever else runs only makes it slower
constexpr int kCheckTurns = 3;
constexpr int kLoaderBatches = 16;
constexpr std::size_t kMostUtterances = 1024;  // whose lengths are looked at
// Utterances of a trial, in batches of it: enough for three signatures, and soon prepared.
constexpr std::size_t kTrialBatches = 12;

struct RecommendArgs {
  ConfigArgs config;
  std::string file;
  bool apply_check = false;
  bool json = false;
};

// What was typed, and then some. Planned shapes and a padding that was typed answer one question.
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

diagnose::ShortRun train_trial(const TensorVerbs& verbs,
                               const config::Resolved& resolved,
                               int num_steps) {
  const auto batch = static_cast<std::size_t>(resolved.config.data.batch_size);
  return train_shortly(verbs, resolved, {num_steps, kTrialBatches * batch, /*is_quiet=*/true});
}

// Another batch size may not fit into memory, or need more utterances than there are: that is an
// answer.
diagnose::ShortRun try_out(const TensorVerbs& verbs,
                           const ConfigArgs& args,
                           int num_steps,
                           diagnose::Trial& trial) {
  base::say("[diagnose] trial: {}\n", trial.name);
  diagnose::ShortRun run;
  try {
    run = train_trial(verbs, resolve_with(args, trial.changes), num_steps);
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
  return static_cast<int>(std::clamp<double>(steps, kFewestTrialSteps, kMostTrialSteps));
}

// A trial knows the lengths of its own sample; those of more utterances say more.
void keep_lengths(diagnose::RecommendMeasured& measured) {
  const rules::Corpus lengths = train::record_lengths(measured.lengths);
  rules::Corpus& corpus = measured.record.corpus;
  corpus.mel_p50 = lengths.mel_p50;
  corpus.mel_p95 = lengths.mel_p95;
  corpus.mel_p99 = lengths.mel_p99;
  corpus.mel_max = lengths.mel_max;
  corpus.text_p99 = lengths.text_p99;
  corpus.text_max = lengths.text_max;
}

diagnose::RecommendMeasured measure(const TensorVerbs& verbs,
                                    const RecommendArgs& args,
                                    const config::Config& config,
                                    diagnose::BottleneckReport& report) {
  diagnose::RecommendMeasured measured{.config = config};
  measured.lengths = train::load_corpora(config,
                                         config::num_workers_of(config.data),
                                         /*maker=*/nullptr,
                                         kMostUtterances)
                         .training.lengths();
  measured.num_utterances = report.record.corpus.utterances.value_or(0);
  measured.longest_pause_s = diagnose::longest_pause_of(report.loader.batch_s);
  measured.trials = diagnose::trials_for(config, report.record.machine);
  diagnose::Trial& as_it_is = measured.trials.front();
  diagnose::ShortRun first = try_out(verbs, args.config, kFirstSteps, as_it_is);
  require(as_it_is.speed.has_value(), "{}", as_it_is.fault);
  const int steps = steps_of_trials(as_it_is);
  diagnose::add_run(report, std::move(first));
  measured.record = report.record;
  keep_lengths(measured);
  for (int turn = 0; turn < kTrialTurns; ++turn) {
    for (diagnose::Trial& trial : measured.trials) {
      const bool is_first = turn == 0 && &trial == &measured.trials.front();
      if (!is_first && trial.fault.empty()) try_out(verbs, args.config, steps, trial);
    }
  }
  while (auto further = diagnose::further_trial(config, measured.trials)) {
    try_out(verbs, args.config, steps, *further);
    measured.trials.push_back(std::move(*further));
  }
  return measured;
}

diagnose::ApplyCheck check_gain(const TensorVerbs& verbs,
                                const ConfigArgs& args,
                                const std::vector<config::Override>& changes,
                                int num_steps) {
  diagnose::ApplyCheck check;
  if (changes.empty()) return check;
  for (int turn = 1; turn <= kCheckTurns; ++turn) {
    base::say("[diagnose] before and after, turn {} of {}\n", turn, kCheckTurns);
    const auto speed = [&](const std::vector<config::Override>& with) {
      return diagnose::speed_of(train_trial(verbs, resolve_with(args, with), num_steps).summary);
    };
    try {
      const double before = speed({});
      const double after = speed(changes);
      check.before.push_back(before);
      check.after.push_back(after);
    } catch (const UserError& error) {  // an answer as well: what was measured is still said
      check.fault = error.what();
      return check;
    }
  }
  return check;
}

void run_recommend(const RecommendArgs& args) {
  const config::Resolved resolved = resolve_for_runs(args.config);
  const config::Config& config = resolved.config;
  const TensorVerbs& verbs = tensor_verbs(config::threads_of(config.training));
  say_warnings(resolved);
  base::say("[diagnose] measuring the stages of loading, then the loader\n");
  diagnose::BottleneckReport report = diagnose::measure_bottleneck(config, kLoaderBatches);
  diagnose::Recommendation answer{.corpus = report.corpus};
  answer.measured = measure(verbs, args, config, report);
  answer.advice = diagnose::advise(answer.measured);
  const std::vector<config::Override> changes = diagnose::changes_of(answer.advice);
  if (args.apply_check) {
    answer.check =
        check_gain(verbs, args.config, changes, steps_of_trials(answer.measured.trials.front()));
  }
  if (args.json) {
    fmt::print("{}\n", diagnose::to_json(answer).dump());
  } else {
    fmt::print("{}", diagnose::to_text(answer));
  }
  if (args.file.empty()) return;
  base::write_file_atomically(args.file, config::write_yaml(resolve_with(args.config, changes)));
  base::say("[diagnose] written: {}\nNext: myxtts train --config {}\n", args.file, args.file);
}

}  // namespace

void add_diagnose_recommend_command(CLI::App& diagnose) {
  auto args = std::make_shared<RecommendArgs>();
  CLI::App* command = diagnose.add_subcommand(
      "recommend", "Which settings suit this corpus on this machine, and why?");
  command->footer(kRecommendExamples);
  add_config_options(*command, args->config, loading_flag_keys());
  command->add_option("--write", args->file, "Write a configuration with the recommended settings")
      ->type_name("FILE.yaml");
  command->add_flag("--apply-check",
                    args->apply_check,
                    "Measure before and after in turns; 'no gain' is a valid verdict");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_recommend(*args); });
}

}  // namespace xtts::cli
