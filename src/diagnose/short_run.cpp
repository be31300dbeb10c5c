#include "diagnose/short_run.h"

#include "base/error.h"
#include "train/metrics_tail.h"

namespace xtts::diagnose {
namespace {

constexpr int kNever = 1'000'000'000;  // steps

}  // namespace

train::TrainRequest short_run(const config::Resolved& resolved,
                              const std::filesystem::path& folder,
                              int num_steps) {
  train::TrainRequest request{.resolved = resolved};
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
  return request;
}

std::vector<RunStep> read_run_steps(const std::filesystem::path& metrics) {
  train::MetricsTail tail(metrics);
  require(tail.poll(), "the training left no metrics in {}", metrics.string());
  std::vector<RunStep> steps;
  for (const train::TailedUpdate& update : tail.updates())
    steps.push_back({.measured = update.times, .loss = update.loss});
  return steps;
}

}  // namespace xtts::diagnose
