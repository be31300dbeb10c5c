#include "train/run_schedule.h"

#include <algorithm>
#include <cmath>

#include "train/schedule.h"

namespace myxtts::train {
namespace {

constexpr std::int64_t kStepsToEstimate = 20;     // before the length of a timed run is estimated
constexpr std::int64_t kUnknownLength = 1 << 30;  // schedule length until then

// The weight of the diagonal prior at step 0, relative to unit-variance likelihoods.
constexpr double kDiagonalWeight = 20.0;

}  // namespace

bool RunSchedule::update_length(TrainState& state) const {
  const bool is_timed = training_.max_minutes && !training_.max_steps && !training_.schedule_steps;
  if (is_timed) {
    if (state.step < kStepsToEstimate) return false;
    const bool is_first = state.schedule_steps == 0;
    const double per_step = state.trained_s / static_cast<double>(state.step);
    state.schedule_steps =
        std::max<std::int64_t>(state.step, std::llround(*training_.max_minutes * 60.0 / per_step));
    return is_first;
  }
  if (training_.schedule_steps) {
    state.schedule_steps = *training_.schedule_steps;
  } else if (state.schedule_steps == 0) {
    state.schedule_steps = training_.max_steps ? std::int64_t{*training_.max_steps}
                                               : training_.epochs * steps_per_epoch_;
  }
  return false;
}

double RunSchedule::learning_rate(const TrainState& state) const {
  const std::int64_t length = state.schedule_steps > 0 ? state.schedule_steps : kUnknownLength;
  return schedule_of(training_, length).at(state.step, state.plateau.scale);
}

double RunSchedule::diagonal(const TrainState& state) const {
  const auto length = static_cast<double>(training_.alignment_prior_steps);
  if (length <= 0.0) return 0.0;
  return kDiagonalWeight * std::max(0.0, 1.0 - static_cast<double>(state.step) / length);
}

bool RunSchedule::is_finished(const TrainState& state) const {
  const int patience = training_.early_stopping_patience;  // may have changed since the run stopped
  if (state.stopped && patience > 0 && state.plateau.since_best >= patience) return true;
  if (training_.max_steps && state.step >= *training_.max_steps) return true;
  if (training_.max_minutes && state.trained_s >= *training_.max_minutes * 60.0) return true;
  return !training_.max_steps && !training_.max_minutes && state.position.epoch >= training_.epochs;
}

}  // namespace myxtts::train
