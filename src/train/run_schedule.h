#pragma once

#include <cstdint>

#include "config/training_config.h"
#include "train/train_state.h"

namespace xtts::train {

// How long a run is, and what that means for a step. The configuration is borrowed.
class RunSchedule {
 public:
  RunSchedule(const config::TrainingConfig& training, std::int64_t updates_per_epoch)
      : training_(training), updates_per_epoch_(updates_per_epoch) {}

  // Sets the length of the schedule in the state. A run by the clock has one as long as its time
  // allows. How many steps that is, is judged anew at every step, so that the schedule and the time
  // end together on a machine of changing speed; true when it is judged for the first time.
  bool fix(TrainState& state) const;

  bool is_finished(const TrainState& state) const;
  double learning_rate(const TrainState& state) const;
  // Weight of the diagonal prior, which fades out linearly.
  double diagonal(const TrainState& state) const;

 private:
  const config::TrainingConfig& training_;
  std::int64_t updates_per_epoch_;
};

}  // namespace xtts::train
