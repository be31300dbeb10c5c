#pragma once

namespace myxtts::train {

// Early stopping and learning rate reduction when the validation loss stops improving.
struct PlateauSettings {
  int stop_patience = 0;    // validations without improvement before the run stops; 0: never
  int halve_patience = 0;   // validations without improvement before lr is halved; 0: never
  double min_delta = 5e-4;  // smallest decrease of the loss that counts as improvement
};

// The history of the validation loss. Plain values, stored in checkpoints.
struct PlateauState {
  double best = 0.0;
  bool has_best = false;
  int since_best = 0;     // validations
  int since_halving = 0;  // validations since the last improvement or halving
  double scale = 1.0;     // of the learning rate
};

struct PlateauDecision {
  bool improved = false;  // below the best loss by more than min_delta
  bool halved = false;
  bool stop = false;
};

// Updates the state with a validation loss and returns the decision. A loss that is not finite is
// no improvement. `best` changes only on improvement, so that small decreases add up. A decision to
// stop does not halve the learning rate.
PlateauDecision observe(PlateauState& state,
                        double validation_loss,
                        const PlateauSettings& settings);

}  // namespace myxtts::train
