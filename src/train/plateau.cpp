#include "train/plateau.h"

#include <cmath>

namespace myxtts::train {

PlateauDecision observe(PlateauState& state,
                        double validation_loss,
                        const PlateauSettings& settings) {
  const bool finite = std::isfinite(validation_loss);
  if (finite && (!state.has_best || validation_loss < state.best - settings.min_delta)) {
    state.best = validation_loss;
    state.has_best = true;
    state.since_best = 0;
    state.since_halving = 0;
    return {.improved = true};
  }

  ++state.since_best;
  ++state.since_halving;
  if (settings.stop_patience > 0 && state.since_best >= settings.stop_patience) {
    return {.stop = true};
  }
  if (settings.halve_patience > 0 && state.since_halving >= settings.halve_patience) {
    state.scale *= 0.5;
    state.since_halving = 0;
    return {.halved = true};
  }
  return {};
}

}  // namespace myxtts::train
