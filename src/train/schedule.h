#pragma once

#include <cstdint>
#include <string>

#include "config/training_config.h"

namespace myxtts::train {

// Computes the learning rate of each step: linear warm-up, then the scheduler's curve.
//
// The rate is never below min_learning_rate after the warm-up. A pure function of the step number,
// the schedule length and `scale` (halved on plateaus).
//
//   warm-up      peak / warmup_steps at the first step, peak at step number warmup_steps
//   cosine       half a cosine from the peak to the floor, reached at the last step of the schedule
//   linear       a straight line from the peak to the floor
//   exponential  a geometric decay from the peak to the floor
//   noam         peak * sqrt(warmup_steps / step number); independent of the schedule length
//   none         peak
struct Schedule {
  std::string scheduler = "cosine";
  double peak = 2e-3;
  double floor = 1e-4;
  std::int64_t warmup_steps = 200;
  std::int64_t schedule_steps = 1000;

  // `step` is the number of finished steps. Throws UsageError for an unknown scheduler.
  double at(std::int64_t step, double scale = 1.0) const;
};

// Limits the warm-up to a fifth of the schedule, so that a short run reaches the peak.
Schedule schedule_of(const config::TrainingConfig& training, std::int64_t schedule_steps);

}  // namespace myxtts::train
