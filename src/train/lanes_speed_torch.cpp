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

namespace myxtts::train {
namespace {

constexpr std::int64_t kMaxRows = 4;
constexpr int kTimedSteps = 2;  // the fastest counts; one more step warms up

// Returns the seconds of a step with one thread on each of these cores. Runs in a separate thread,
// whose OpenMP pool ends with it, so that the caller's threads keep their affinity.
double step_s_on(const std::vector<int>& cores, step::TrainStep& step, data::Batch& batch) {
  using Clock = std::chrono::steady_clock;
  double fastest_s = std::numeric_limits<double>::max();
  std::exception_ptr failure;
  std::thread([&] {
    try {
      base::pin_to_cores(cores);
      at::set_num_threads(static_cast<int>(cores.size()));
      step.accumulate(batch, /*diagonal=*/1.0);
      for (int i = 0; i < kTimedSteps; ++i) {
        const auto start = Clock::now();
        step.accumulate(batch, /*diagonal=*/1.0);
        const std::chrono::duration<double> elapsed = Clock::now() - start;
        fastest_s = std::min(fastest_s, elapsed.count());
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
                           const data::Signature& signature,
                           const step::BatchProperties& properties,
                           const data::LanePlan& lanes) {
  const bool on_cpu = !lanes.data.device.is_cuda && !lanes.model.device.is_cuda;
  if (lanes.mode != data::PipelineMode::kMultiDevice || !on_cpu) return 0.0;
  const step::CpuGeneratorGuard generator_guard;
  step::TrainStep step(*parts.objective, parts.optimizer, step::type_of(training.precision));
  data::Signature few_rows = signature;
  few_rows.batch = std::min(few_rows.batch, kMaxRows);
  data::Batch batch = step::example_batch(few_rows, properties);

  std::vector<int> both = lanes.model.cores;
  both.insert(both.end(), lanes.data.cores.begin(), lanes.data.cores.end());
  const double model_lane_s = step_s_on(lanes.model.cores, step, batch);
  const double both_lanes_s = step_s_on(both, step, batch);
  at::set_num_threads(lanes.model_threads);  // later threads use the last value that was set
  parts.optimizer.zero_gradients();
  return both_lanes_s / model_lane_s;
}

}  // namespace myxtts::train
