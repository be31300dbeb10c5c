#pragma once

#include <cstdint>
#include <string>

#include "config/training_config.h"

namespace xtts::train {

// The learning rate of each update: linear warm-up, then cosine | linear | noam | exponential |
// none, never
// below min_learning_rate after the warm-up. A pure function of the update's number, the schedule's
// length and `scale` (halved on plateaus).
//
//   warm-up      peak / warmup_steps at the first update, peak at update number warmup_steps
//   cosine       half a cosine from the peak to the floor, reached by the schedule's last update
//   linear       a straight line between the same two
//   exponential  a geometric fall between the same two
//   noam         peak * sqrt(warmup_steps / number of the update); knows no end
//   none         peak
struct Schedule {
  std::string scheduler = "cosine";
  double peak = 2e-3;
  double floor = 1e-4;
  std::int64_t warmup_steps = 200;
  std::int64_t schedule_steps = 1000;

  // `step` counts from 0: the updates that are finished. Throws UsageError for another scheduler.
  double at(std::int64_t step, double scale = 1.0) const;
};

// The warm-up takes at most a fifth of the schedule, so that a short run has its peak too.
Schedule schedule_of(const config::TrainingConfig& training, std::int64_t schedule_steps);

}  // namespace xtts::train
