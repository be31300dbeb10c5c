#include "train/triggers.h"

#include <gtest/gtest.h>

namespace myxtts::train {
namespace {

config::TrainingConfig every(int validation, int synthesis, int plots, int checkpoint) {
  config::TrainingConfig training;
  training.val_step = validation;
  training.text2audio_interval_steps = synthesis;
  training.spectrogram_log_interval = plots;
  training.save_step = checkpoint;
  return training;
}

TEST(TriggersNow, FollowTheIntervals) {
  config::TrainingConfig training = every(2, 3, 4, 5);
  training.evaluate_every = 6;
  TrainState state;
  std::string pattern;
  for (state.step = 0; state.step <= 6; ++state.step) {
    const Triggers triggers = triggers_now(training, state);
    pattern += triggers.validation ? 'v' : '-';
    pattern += triggers.synthesis ? 's' : '-';
    pattern += triggers.plots ? 'p' : '-';
    pattern += triggers.evaluation ? 'e' : '-';
    pattern += ' ';
  }

  EXPECT_EQ(pattern, "---- ---- v--- -s-- v-p- ---- vs-e ");
}

TEST(TriggersNow, FireOncePerStep) {
  TrainState state;
  state.step = 12;
  state.validated_step = 12;
  state.sampled_step = 12;
  state.evaluated_step = 12;
  config::TrainingConfig training = every(2, 3, 4, 5);
  training.evaluate_every = 6;

  EXPECT_FALSE(triggers_now(training, state).any());
  state.evaluated_step = 6;
  EXPECT_TRUE(triggers_now(training, state).any());
}

TEST(TriggersNow, NeverFireIfDisabled) {
  config::TrainingConfig training = every(7, 3, 0, 5);
  training.enable_text2audio_eval = false;
  TrainState state;
  state.step = 12;

  EXPECT_FALSE(triggers_now(training, state).any());
}

TEST(IsCheckpointDue, FollowsTheIntervalUnlessSavedOrTheLastStepWasBad) {
  const config::TrainingConfig training = every(2, 3, 4, 5);
  TrainState state;
  EXPECT_FALSE(is_checkpoint_due(training, state, -1)) << "no checkpoint at step 0";

  state.step = 10;
  EXPECT_TRUE(is_checkpoint_due(training, state, 5));
  EXPECT_FALSE(is_checkpoint_due(training, state, 10));
  state.bad_in_a_row = 1;
  EXPECT_FALSE(is_checkpoint_due(training, state, 5));
}

}  // namespace
}  // namespace myxtts::train
