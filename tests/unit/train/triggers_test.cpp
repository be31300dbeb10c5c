#include "train/triggers.h"

#include <gtest/gtest.h>

namespace xtts::train {
namespace {

config::TrainingConfig every(int validation, int sentences, int pictures, int save) {
  config::TrainingConfig training;
  training.val_step = validation;
  training.text2audio_interval_steps = sentences;
  training.spectrogram_log_interval = pictures;
  training.save_step = save;
  return training;
}

TEST(DueNow, HappensEverySoManySteps) {
  config::TrainingConfig training = every(2, 3, 4, 5);
  training.evaluate_every = 6;
  TrainState state;
  std::string words;
  for (state.step = 0; state.step <= 6; ++state.step) {
    const Triggers due = triggers_now(training, state);
    words += due.validation ? 'v' : '-';
    words += due.sentences ? 's' : '-';
    words += due.pictures ? 'p' : '-';
    words += due.evaluation ? 'e' : '-';
    words += ' ';
  }

  EXPECT_EQ(words, "---- ---- v--- -s-- v-p- ---- vs-e ");
}

TEST(DueNow, NothingHappensTwiceAtAStep) {
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

TEST(DueNow, WhatIsSwitchedOffIsNeverDue) {
  config::TrainingConfig training = every(7, 3, 0, 5);
  training.enable_text2audio_eval = false;
  TrainState state;
  state.step = 12;

  EXPECT_FALSE(triggers_now(training, state).any());
}

TEST(IsSaveDue, AtItsStepsUnlessItIsThereOrTheLastUpdateWasRefused) {
  const config::TrainingConfig training = every(2, 3, 4, 5);
  TrainState state;
  EXPECT_FALSE(is_checkpoint_due(training, state, -1)) << "step 0 is where every run begins";

  state.step = 10;
  EXPECT_TRUE(is_checkpoint_due(training, state, 5));
  EXPECT_FALSE(is_checkpoint_due(training, state, 10));
  state.bad_in_a_row = 1;
  EXPECT_FALSE(is_checkpoint_due(training, state, 5));
}

}  // namespace
}  // namespace xtts::train
