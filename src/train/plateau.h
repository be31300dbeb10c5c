#pragma once

#include <string>

namespace xtts::train {

struct PlateauSettings {
  int stop_patience = 0;   // validations without progress before the run ends; 0: never
  int halve_patience = 0;  // the same before the learning rate is halved; 0: never
  double min_delta = 5e-4; // what counts as progress
};

// What the validation losses of a run say. Plain values: a save stores them.
struct PlateauState {
  double best = 0.0;
  bool has_best = false;
  int since_best = 0;     // validations
  int since_halving = 0;  // validations since progress or the last halving
  double scale = 1.0;     // of the learning rate
};

struct PlateauVerdict {
  bool improved = false;  // the best so far: worth keeping
  bool halved = false;
  bool stop = false;
};

// Takes one validation loss into the state. A loss that is not finite is no progress.
PlateauVerdict observe(PlateauState& state, double validation_loss, const PlateauSettings& settings);

}  // namespace xtts::train
