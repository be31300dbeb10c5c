#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include <ATen/Parallel.h>
#include <fmt/format.h>
// Implements include/myxtts/train.h.
#include <myxtts/train.h>

#include "base/error.h"
#include "base/terminal.h"
#include "config/resolve.h"
#include "synthesis/find_vocoder.h"
#include "train/run_config.h"
#include "train/run_folder.h"
#include "train/run_training_torch.h"

namespace myxtts {
namespace {

train::TrainRequest request_of(const TrainingOptions& options) {
  config::Layers layers;
  for (const auto& [key, value] : options.settings)
    layers.flags.push_back({key, value});
  if (!options.corpus.empty()) layers.flags.push_back({"data.dataset_path", options.corpus});
  require_usage(!options.run_folder.empty(), "run_folder is empty; expected a folder");
  layers.flags.push_back({"training.checkpoint_dir", options.run_folder});
  if (options.max_steps)
    layers.flags.push_back({"training.max_steps", fmt::to_string(*options.max_steps)});
  if (options.max_minutes)
    layers.flags.push_back({"training.max_minutes", fmt::to_string(*options.max_minutes)});

  train::TrainRequest request{.resolved = train::resolve_run(std::move(layers), false)};
  request.is_quiet = true;
  config::Config& config = request.resolved.config;
  if (options.model == Model::kVocoder) {
    request.task = train::Task::kVocoder;
    config = config::for_vocoder(std::move(config));
  }
  train::make_paths_absolute(config);
  train::require_run_kind(config.training.checkpoint_dir, request.task);
  if (options.model == Model::kVocoder) train::select_mels_checkpoint_for(config);
  return request;
}

// A training pins its thread to cores and sets the threads of LibTorch, so it runs on a thread of
// its own, and the number of threads is restored.
train::TrainSummary train_on_own_thread(train::TrainRequest request) {
  const int num_threads = at::get_num_threads();
  std::packaged_task<train::TrainSummary()> task(
      [&] { return train::run_training(std::move(request)); });
  std::future<train::TrainSummary> result = task.get_future();
  std::jthread(std::move(task)).join();
  at::set_num_threads(num_threads);
  return result.get();
}

}  // namespace

struct Training::Impl {
  train::TrainRequest request;
  std::atomic<bool> is_stopped = false;
};

Training::Training(const TrainingOptions& options) {
  const base::QuietTerminal quiet;
  impl_ = std::make_unique<Impl>();
  impl_->request = request_of(options);
}

Training::~Training() = default;

TrainingResult Training::run(const std::function<void(const TrainingProgress&)>& on_progress) {
  const base::QuietTerminal quiet;
  train::TrainRequest request = impl_->request;
  request.should_stop = [impl = impl_.get()] { return impl->is_stopped.load(); };
  if (on_progress) {
    request.on_step = [&](const train::StepProgress& progress) {
      on_progress({.step = progress.step,
                   .total_steps = progress.total_steps,
                   .loss = progress.loss,
                   .learning_rate = progress.learning_rate,
                   .step_s = progress.step_s});
    };
  }
  const train::TrainSummary summary = train_on_own_thread(std::move(request));
  return {.steps = summary.steps,
          .is_stopped = summary.is_stopped,
          .final_loss = summary.final_loss,
          .validation_loss = summary.validation_loss};
}

void Training::stop() {
  impl_->is_stopped = true;
}

}  // namespace myxtts
