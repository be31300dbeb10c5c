// The step number t counts from 1 here: the rate of the first warm-up step is above 0, the last
// warm-up step has the peak, and the last step of the schedule has the floor.

#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace myxtts::train {
namespace {

// A geometric decay needs an end above zero.
constexpr double kExponentialEnd = 1e-3;  // of the peak, if the floor is 0

// Returns 0 at the end of the warm-up and 1 from the end of the schedule on.
double progress_at(const Schedule& schedule, double t) {
  const auto length = static_cast<double>(schedule.schedule_steps - schedule.warmup_steps);
  if (length <= 0.0) return 1.0;
  return std::clamp((t - static_cast<double>(schedule.warmup_steps)) / length, 0.0, 1.0);
}

double after_warmup(const Schedule& schedule, double t) {
  const double progress = progress_at(schedule, t);
  if (schedule.scheduler == "cosine") {
    const double share = 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    return schedule.floor + (schedule.peak - schedule.floor) * share;
  }
  if (schedule.scheduler == "linear") {
    return schedule.floor + (schedule.peak - schedule.floor) * (1.0 - progress);
  }
  if (schedule.scheduler == "exponential") {
    const double end = schedule.floor > 0.0 ? schedule.floor : schedule.peak * kExponentialEnd;
    return schedule.peak * std::pow(end / schedule.peak, progress);
  }
  if (schedule.scheduler == "noam") {
    const auto warmup = static_cast<double>(std::max<std::int64_t>(1, schedule.warmup_steps));
    return schedule.peak * std::sqrt(warmup / std::max(t, warmup));
  }
  require_usage(schedule.scheduler == "none",
                "training.scheduler is '{}'; expected cosine, linear, noam, exponential or none",
                schedule.scheduler);
  return schedule.peak;
}

}  // namespace

double Schedule::at(std::int64_t step, double scale) const {
  const std::int64_t t = step + 1;
  if (t < warmup_steps) {
    return scale * peak * static_cast<double>(t) / static_cast<double>(warmup_steps);
  }
  return std::max(floor, scale * after_warmup(*this, static_cast<double>(t)));
}

Schedule schedule_of(const config::TrainingConfig& training, std::int64_t schedule_steps) {
  return {.scheduler = training.scheduler,
          .peak = training.learning_rate,
          .floor = config::min_learning_rate_of(training),
          .warmup_steps = std::min<std::int64_t>(training.warmup_steps, schedule_steps / 5),
          .schedule_steps = schedule_steps};
}

}  // namespace myxtts::train
