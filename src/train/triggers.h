#pragma once

#include "config/training_config.h"
#include "train/train_state.h"

namespace myxtts::train {

// Decides which periodic hooks (validation, samples, evaluation) run at a step.
//
// A hook is triggered at its interval if it has not run at this step yet. A run that is stopped by
// a signal writes its checkpoint before the hooks of that step; the resumed run then runs them
// first.
struct Triggers {
  bool validation = false;
  bool synthesis = false;   // of the sample sentences
  bool plots = false;       // of mels and alignments
  bool evaluation = false;  // by the judge program, such as a speech recogniser

  bool any() const { return validation || synthesis || plots || evaluation; }
};

// Returns the triggers of the current step; none at step 0. A pure function.
Triggers triggers_now(const config::TrainingConfig& training, const TrainState& state);

// Returns true if a checkpoint is due; `saved_step` is the step of the last checkpoint.
bool is_checkpoint_due(const config::TrainingConfig& training,
                       const TrainState& state,
                       std::int64_t saved_step);

}  // namespace myxtts::train
