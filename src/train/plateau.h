#pragma once

namespace xtts::train {

struct PlateauSettings {
  int stop_patience = 0;    // validations without progress before the run ends; 0: never
  int halve_patience = 0;   // the same before the learning rate is halved; 0: never
  double min_delta = 5e-4;  // what counts as progress
};

// What the validation losses of a run say. Plain values: a save stores them.
struct PlateauState {
  double best = 0.0;
  bool has_best = false;
  int since_best = 0;     // validations
  int since_halving = 0;  // validations since progress or the last halving
  double scale = 1.0;     // of the learning rate
};

struct PlateauDecision {
  bool improved = false;  // below the best so far by more than min_delta: worth keeping
  bool halved = false;
  bool stop = false;
};

// Takes one validation loss into the state. A loss that is not finite is no progress. `best` moves
// only with progress, so that many small steps down add up to it. The verdict that stops a run does
// not halve as well.
PlateauDecision observe(PlateauState& state,
                        double validation_loss,
                        const PlateauSettings& settings);

}  // namespace xtts::train
