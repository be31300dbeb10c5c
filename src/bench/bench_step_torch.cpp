// Note [Bench of a step]: every setting trains on the same utterances from prebuilt batches, so
// that only the step is timed. Settings alternate in every round, so that other load on the machine
// affects all of them; the median round is reported. Frame counts exclude padding.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include <ATen/Parallel.h>
#include <sys/resource.h>
#include <torch/types.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "bench/bench_step.h"
#include "bench/bench_training_torch.h"
#include "config/presets.h"
#include "data/run_plan.h"
#include "step/operator_times_torch.h"
#include "step/precision_torch.h"
#include "train/format_run.h"

namespace myxtts::bench {
namespace {

using BenchClock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work) {
  const BenchClock::time_point start = BenchClock::now();
  work();
  return std::chrono::duration<double>(BenchClock::now() - start).count();
}

double quantile_of(std::vector<double> values, double quantile) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(quantile * static_cast<double>(values.size() - 1))];
}

double median_value(const std::vector<double>& values) {
  return quantile_of(values, 0.5);
}

std::int64_t num_page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// One shape setting with its own model and the first batches of its first epoch.
class BenchSetting {
 public:
  BenchSetting(std::string setting_name,
               const config::Config& config,
               const data::FeatureSet& features,
               bool is_prepared,
               int num_batches)
      : name(std::move(setting_name)),
        plan(data::plan_run(data::shape_settings_of(config), features.lengths(), {})),
        batches(first_batches(features, plan, config, num_batches)),
        training_(config, is_prepared) {
    for (const data::Batch& batch : batches) {
      frames += batch.counts.frames;
      for (const data::MicroBatch& micro_batch : batch.micro_batches)
        multiply_adds +=
            train::multiply_adds_of(config.model, micro_batch.signature, kBenchReferenceFrames);
    }
    if (is_prepared) prepare_s = seconds_of([&] { training_.prepare(plan.signatures); });
  }

  void run_round() {
    const std::int64_t faults = num_page_faults();
    double total = 0.0;
    for (data::Batch& batch : batches) {
      if (base::pending_interrupt() != 0) throw base::Interrupted(base::pending_interrupt());
      const double seconds =
          seconds_of([&] { training_.step.run(batch, kBenchLearningRate, 0.0); });
      step_s[batch.micro_batches.front().signature].push_back(seconds);
      total += seconds;
    }
    round_s.push_back(total);
    round_faults.push_back(static_cast<double>(num_page_faults() - faults) /
                           static_cast<double>(batches.size()));
  }

  // Runs one more round with operator timing, which slows it down. Returns the operators, longest
  // first, and the seconds of the round.
  std::pair<std::vector<step::OperatorTimes::Entry>, double> operator_times() {
    const step::OperatorTimes times;
    const double seconds = seconds_of([&] {
      for (data::Batch& batch : batches)
        training_.step.run(batch, kBenchLearningRate, 0.0);
    });
    return {times.entries(), seconds};
  }

  double frames_per_s() const { return static_cast<double>(frames) / median_value(round_s); }
  double operations_per_s() const { return 2.0 * multiply_adds / median_value(round_s); }

  const std::string name;
  const data::ShapePlan plan;
  std::vector<data::Batch> batches;
  std::int64_t frames = 0;     // per round, without padding
  double multiply_adds = 0.0;  // per round, with padding
  double prepare_s = 0.0;
  std::vector<double> round_s;
  std::vector<double> round_faults;  // page faults per step
  std::map<data::Signature, std::vector<double>> step_s;

 private:
  BenchTraining training_;
};

// Measures the speed of a matrix product of the decoder's size on all threads.
class Gemm {
 public:
  explicit Gemm(torch::ScalarType type)
      : a_(torch::randn({kRows, kIn}).to(type)), b_(torch::randn({kIn, kOut}).to(type)) {}

  double seconds() {
    const torch::NoGradGuard no_grad;
    return seconds_of([&] {
      for (int i = 0; i < kRepeats; ++i)
        c_ = at::mm(a_, b_);
    });
  }
  static double operations() { return 2.0 * kRows * kIn * kOut * kRepeats; }

 private:
  static constexpr std::int64_t kRows = 2752;  // 16 crops of 172 frames
  static constexpr std::int64_t kIn = 256;
  static constexpr std::int64_t kOut = 768;
  static constexpr int kRepeats = 20;
  torch::Tensor a_, b_, c_;
};

// Returns (p90 - p10) / p50.
double variation_of(const std::vector<double>& values) {
  return (quantile_of(values, 0.9) - quantile_of(values, 0.1)) / median_value(values);
}

config::Config bench_config(const BenchStepArgs& args, const std::string& precision) {
  config::Config config;
  config.model.model_size = args.model_size;
  config.model = config::preset_defaults_of(config).model;
  config.training.precision = precision;
  config.data.batch_size = args.batch_size;
  return config;
}

void add_results(std::vector<BenchResult>& results,
                 const std::string& precision,
                 const std::vector<std::unique_ptr<BenchSetting>>& settings,
                 const std::vector<double>& gemm_s) {
  const auto setting_named = [&](std::string_view name) -> const BenchSetting& {
    return **std::ranges::find_if(settings, [&](const auto& one) { return one->name == name; });
  };
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    results.push_back({precision + "_" + name, value, unit});
  };
  const double gemm = Gemm::operations() / quantile_of(gemm_s, 0.0);
  add("gemm", gemm / 1e9, "GFLOP/s");
  for (const auto& one : settings) {
    add(one->name, one->frames_per_s(), "frames/s");
    add(one->name + "_of_gemm", one->operations_per_s() / gemm, "ratio");
    add(one->name + "_page_faults", median_value(one->round_faults), "per step");
    if (one->prepare_s > 0.0) add(one->name + "_preparation", one->prepare_s, "s");
  }
  const BenchSetting& fixed = setting_named("fixed_prepared");
  const BenchSetting& plan = setting_named("auto_prepared");
  const double predicted = fixed.multiply_adds / static_cast<double>(fixed.frames) /
                           (plan.multiply_adds / static_cast<double>(plan.frames));
  const double gained = plan.frames_per_s() / fixed.frames_per_s();
  add("auto_to_fixed", gained, "ratio");
  add("auto_to_fixed_by_work", predicted, "ratio");
  add("auto_gain_of_predicted", (gained - 1.0) / (predicted - 1.0), "ratio");
  add("auto_prepared_to_eager",
      plan.frames_per_s() / setting_named("auto_eager").frames_per_s(),
      "ratio");
  add("auto_prepared_to_dynamic_eager",
      plan.frames_per_s() / setting_named("dynamic_eager").frames_per_s(),
      "ratio");
  double first = 0.0;
  double variation = 0.0;
  for (const auto& [signature, seconds] : plan.step_s) {
    first = std::max(first, seconds.front() / median_value(seconds));
    if (seconds.size() >= 5) variation = std::max(variation, variation_of(seconds));
  }
  add("first_replay_to_median", first, "ratio");
  add("auto_step_variation", variation, "ratio");
  add("gemm_variation", variation_of(gemm_s), "ratio");
}

// Operators below this share of the step time are summed up as others.
constexpr double kSmallestShare = 0.01;

void add_operators(std::vector<BenchResult>& results,
                   const std::string& precision,
                   BenchSetting& setting) {
  const auto [entries, seconds] = setting.operator_times();
  double others = 1.0;  // includes the time outside of operators
  for (const step::OperatorTimes::Entry& entry : entries) {
    const double share = entry.seconds / seconds;
    if (share < kSmallestShare) continue;
    others -= share;
    results.push_back({precision + "_operator_" + entry.name, share, "of step time"});
  }
  results.push_back({precision + "_operator_others", others, "of step time"});
}

}  // namespace

std::vector<BenchResult> bench_step(const BenchStepArgs& args) {
  std::vector<std::string> precisions = {args.precision};
  if (args.precision == "auto") {
    precisions = {"fp32"};
    if (step::cpu_has_bf16() && step::bf16_works()) precisions.emplace_back("bf16");
  }
  const data::FeatureSet features =
      noise_corpus(bench_config(args, precisions.front()).model.n_mels);
  std::vector<BenchResult> results;
  for (const std::string& precision : precisions) {
    config::Config config = bench_config(args, precision);
    std::vector<std::unique_ptr<BenchSetting>> settings;
    const auto add = [&](const char* name, bool is_prepared) {
      settings.push_back(
          std::make_unique<BenchSetting>(name, config, features, is_prepared, args.steps));
    };
    add("auto_prepared", true);  // the default; add_operators() uses the first setting
    add("auto_eager", false);
    config.data.pad_to_fixed_length = false;
    add("dynamic_eager", false);
    config.data.pad_to_fixed_length = true;
    config.data.max_text_length = 200;
    config.data.max_mel_frames = 800;
    add("fixed_eager", false);
    add("fixed_prepared", true);

    Gemm gemm(step::type_of(precision));
    std::vector<double> gemm_s;
    gemm.seconds();
    base::ProgressBar bar("bench step " + precision,
                          static_cast<std::size_t>(args.rounds) * settings.size());
    for (int round = 0; round < args.rounds; ++round) {
      for (const auto& setting : settings) {
        setting->run_round();
        for (int i = 0; i < 4; ++i)
          gemm_s.push_back(gemm.seconds());
        bar.advance();
      }
    }
    add_results(results, precision, settings, gemm_s);
    if (args.operators) add_operators(results, precision, *settings.front());
  }
  return results;
}

}  // namespace myxtts::bench
