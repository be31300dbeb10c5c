#pragma once

#include <cstdint>

#include "config/training_config.h"
#include "train/train_state.h"

namespace myxtts::train {

// Computes the length of a run and the schedules of learning rate and alignment prior.
//
// Borrows the configuration.
class RunSchedule {
 public:
  RunSchedule(const config::TrainingConfig& training, std::int64_t steps_per_epoch)
      : training_(training), steps_per_epoch_(steps_per_epoch) {}

  // Sets the schedule length in the state. For a run limited by minutes, the length is estimated
  // from the speed so far and updated at every step, so that schedule and time end together.
  // Returns true at the first estimate.
  bool update_length(TrainState& state) const;

  bool is_finished(const TrainState& state) const;
  double learning_rate(const TrainState& state) const;
  // Returns the weight of the diagonal alignment prior, which decreases linearly to 0.
  double diagonal(const TrainState& state) const;

 private:
  const config::TrainingConfig& training_;
  std::int64_t steps_per_epoch_;
};

}  // namespace myxtts::train
