#include "diagnose/short_run.h"

#include "base/error.h"
#include "base/files.h"
#include "rules/record_json.h"
#include "train/metrics_tail.h"

namespace myxtts::diagnose {
namespace {

constexpr int kNever = 1'000'000'000;  // steps
constexpr std::size_t kMaxRecordBytes = 64 << 20;

}  // namespace

train::TrainRequest short_run(const config::Resolved& resolved,
                              const std::filesystem::path& folder,
                              int num_steps) {
  train::TrainRequest request{.resolved = resolved, .is_trial = true};
  config::TrainingConfig& training = request.resolved.config.training;
  training.checkpoint_dir = folder.string();
  training.metrics_file.reset();
  training.tensorboard_log_dir.reset();
  training.max_steps = num_steps;
  training.max_minutes.reset();
  training.early_stopping_patience = 0;
  training.val_step = kNever;
  training.save_step = kNever;
  training.log_step = 1;
  training.spectrogram_log_interval = 0;
  training.enable_text2audio_eval = false;
  training.evaluate_every = 0;
  return request;
}

std::vector<MeasuredStep> read_run_steps(const std::filesystem::path& metrics) {
  train::MetricsTail tail(metrics);
  require(tail.poll(), "the training run wrote no metrics to {}", metrics.string());
  std::vector<MeasuredStep> steps;
  for (const train::TailedStep& step : tail.steps())
    steps.push_back({.measured = step.times, .loss = step.loss});
  return steps;
}

std::filesystem::path trace_file_in(const std::filesystem::path& folder) {
  return folder / "trace.json";
}

ShortRun read_short_run(const std::filesystem::path& folder) {
  const base::ReadResult record = base::read_regular_file(folder / "record.json", kMaxRecordBytes);
  require(record.fault == base::FileFault::kNone,
          "the training run wrote no record.json to {}",
          folder.string());
  return {.steps = read_run_steps(folder / "metrics.jsonl"),
          .record = rules::record_of(record.bytes),
          .lanes = read_lanes(trace_file_in(folder))};
}

}  // namespace myxtts::diagnose
