#include "train/triggers.h"

namespace myxtts::train {
namespace {

bool is_due(std::int64_t step, std::int64_t interval, std::int64_t last) {
  return interval > 0 && step > 0 && step % interval == 0 && last < step;
}

}  // namespace

Triggers triggers_now(const config::TrainingConfig& training, const TrainState& state) {
  return {
      .validation = is_due(state.step, training.val_step, state.validated_step),
      .synthesis = training.enable_text2audio_eval &&
                   is_due(state.step, training.text2audio_interval_steps, state.sampled_step),
      .plots = is_due(state.step, training.spectrogram_log_interval, state.sampled_step),
      .evaluation = is_due(state.step, training.evaluate_every, state.evaluated_step),
  };
}

// After a bad step the weights may have diverged, and a rollback needs a checkpoint from before.
bool is_checkpoint_due(const config::TrainingConfig& training,
                       const TrainState& state,
                       std::int64_t saved_step) {
  return state.bad_in_a_row == 0 && is_due(state.step, training.save_step, saved_step);
}

}  // namespace myxtts::train
