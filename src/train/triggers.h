#pragma once

#include "config/training_config.h"
#include "train/train_state.h"

namespace xtts::train {

// What happens every so many steps and has not happened at this one yet. A save may be older than
// what is due at its step: then a resumed run does it first.
struct Triggers {
  bool validation = false;
  bool sentences = false;  // spoken samples
  bool pictures = false;
  bool evaluation = false;  // sentences that a judge hears

  bool any() const { return validation || sentences || pictures || evaluation; }
};

// A pure function. Nothing is due at step 0.
Triggers triggers_now(const config::TrainingConfig& training, const TrainState& state);

// The same for a save; `saved_step` is that of the last one.
bool is_checkpoint_due(const config::TrainingConfig& training,
                       const TrainState& state,
                       std::int64_t saved_step);

}  // namespace xtts::train
