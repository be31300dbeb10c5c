#include "train/run_schedule.h"

#include <gtest/gtest.h>

namespace myxtts::train {
namespace {

TEST(RunSchedule, TakesItsLengthFromEpochsStepsOrConfiguration) {
  config::TrainingConfig training;
  training.epochs = 3;
  TrainState by_epochs;
  EXPECT_FALSE(RunSchedule(training, 40).update_length(by_epochs));
  EXPECT_EQ(by_epochs.schedule_steps, 120);

  training.max_steps = 70;
  TrainState by_steps;
  RunSchedule(training, 40).update_length(by_steps);
  EXPECT_EQ(by_steps.schedule_steps, 70);

  training.schedule_steps = 90;
  RunSchedule(training, 40).update_length(by_steps);
  EXPECT_EQ(by_steps.schedule_steps, 90);
}

TEST(RunSchedule, KeepsAKnownLength) {
  config::TrainingConfig training;
  training.max_steps = 70;
  TrainState state;
  state.schedule_steps = 33;
  RunSchedule(training, 40).update_length(state);
  EXPECT_EQ(state.schedule_steps, 33);
}

TEST(RunSchedule, EstimatesTheLengthOfATimedRunFromItsSpeed) {
  config::TrainingConfig training;
  training.max_minutes = 1.0;
  const RunSchedule schedule(training, 40);
  TrainState state;
  state.step = 19;
  state.trained_s = 9.5;
  EXPECT_FALSE(schedule.update_length(state));
  EXPECT_EQ(state.schedule_steps, 0);
  state.step = 20;
  state.trained_s = 10.0;
  EXPECT_TRUE(schedule.update_length(state));
  EXPECT_EQ(state.schedule_steps, 120);
  state.trained_s = 20.0;  // the machine became slower
  EXPECT_FALSE(schedule.update_length(state));
  EXPECT_EQ(state.schedule_steps, 60);
}

TEST(RunSchedule, EndsByStepsTimeEpochsOrPatience) {
  config::TrainingConfig training;
  training.epochs = 2;
  TrainState state;
  state.position.epoch = 1;
  EXPECT_FALSE(RunSchedule(training, 40).is_finished(state));
  state.position.epoch = 2;
  EXPECT_TRUE(RunSchedule(training, 40).is_finished(state));

  training.max_steps = 100;
  state.step = 99;
  EXPECT_FALSE(RunSchedule(training, 40).is_finished(state));
  state.step = 100;
  EXPECT_TRUE(RunSchedule(training, 40).is_finished(state));

  training.max_steps.reset();
  training.max_minutes = 1.0;
  state.trained_s = 59.0;
  EXPECT_FALSE(RunSchedule(training, 40).is_finished(state));
  state.trained_s = 60.0;
  EXPECT_TRUE(RunSchedule(training, 40).is_finished(state));

  state.trained_s = 0.0;
  state.stopped = true;
  state.plateau.since_best = 5;
  training.early_stopping_patience = 5;
  EXPECT_TRUE(RunSchedule(training, 40).is_finished(state));
  training.early_stopping_patience = 6;  // increased after the run stopped
  EXPECT_FALSE(RunSchedule(training, 40).is_finished(state));
}

TEST(RunSchedule, DiagonalPriorDecreasesToZero) {
  config::TrainingConfig training;
  training.alignment_prior_steps = 100;
  const RunSchedule schedule(training, 40);
  TrainState state;
  const double first = schedule.diagonal(state);
  EXPECT_GT(first, 0.0);
  state.step = 50;
  EXPECT_DOUBLE_EQ(schedule.diagonal(state), first / 2);
  state.step = 1000;
  EXPECT_EQ(schedule.diagonal(state), 0.0);
  training.alignment_prior_steps = 0;
  state.step = 0;
  EXPECT_EQ(schedule.diagonal(state), 0.0);
}

}  // namespace
}  // namespace myxtts::train
