#include "train/lanes_speed_torch.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include <ATen/Parallel.h>

#include "base/threads.h"
#include "step/precision_torch.h"

namespace xtts::train {
namespace {

constexpr std::int64_t kMostRows = 4;
constexpr int kTimedSteps = 2;  // the fastest counts; one more warms up

// Seconds of a step on these cores, a thread on each. In a thread of its own, whose pool of helpers
// ends with it: the threads of the caller stay where they are.
double step_s_on(const std::vector<int>& cores, step::TrainStep& step, pipeline::Batch& update) {
  using Clock = std::chrono::steady_clock;
  double fastest_s = std::numeric_limits<double>::max();
  std::exception_ptr failure;
  std::thread([&] {
    try {
      base::run_on(cores);
      at::set_num_threads(static_cast<int>(cores.size()));
      step.accumulate(update, /*diagonal=*/1.0);
      for (int i = 0; i < kTimedSteps; ++i) {
        const auto start = Clock::now();
        step.accumulate(update, /*diagonal=*/1.0);
        const std::chrono::duration<double> taken = Clock::now() - start;
        fastest_s = std::min(fastest_s, taken.count());
      }
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
  return fastest_s;
}

}  // namespace

double measure_lanes_speed(RunParts& parts,
                           const config::TrainingConfig& training,
                           const pipeline::Signature& signature,
                           const step::BatchFacts& facts,
                           const pipeline::LanePlan& lanes) {
  const bool on_cpu = !lanes.data.device.is_cuda && !lanes.model.device.is_cuda;
  if (lanes.mode != pipeline::PipelineMode::kMultiDevice || !on_cpu) return 0.0;
  const step::UnchangedGenerator unchanged_generator;
  step::TrainStep step(*parts.objective, parts.optimizer, step::type_of(training.precision));
  pipeline::Signature few = signature;
  few.batch = std::min(few.batch, kMostRows);
  pipeline::Batch update = step::example_batch(few, facts);

  std::vector<int> both = lanes.model.cores;
  both.insert(both.end(), lanes.data.cores.begin(), lanes.data.cores.end());
  const double alone_s = step_s_on(lanes.model.cores, step, update);
  const double together_s = step_s_on(both, step, update);
  at::set_num_threads(lanes.model_threads);  // threads that come later ask for the last number
  parts.optimizer.zero_gradients();
  return together_s / alone_s;
}

}  // namespace xtts::train
