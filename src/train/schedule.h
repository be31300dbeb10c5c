#pragma once

#include <cstdint>
#include <string>

#include "config/training_config.h"

namespace xtts::train {

// The learning rate of each update: linear warm-up, then cosine | noam | exponential | none, never
// below min_learning_rate after the warm-up. A pure function of the update's number, the schedule's
// length and `scale` (halved on plateaus).
struct Schedule {
  std::string scheduler = "cosine";
  double peak = 2e-3;
  double floor = 1e-4;
  std::int64_t warmup_steps = 200;
  std::int64_t schedule_steps = 1000;

  double at(std::int64_t step, double scale = 1.0) const;  // step counts from 0
};

Schedule schedule_of(const config::TrainingConfig& training, std::int64_t schedule_steps);

}  // namespace xtts::train
