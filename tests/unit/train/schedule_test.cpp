#include "train/schedule.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::train {
namespace {

Schedule schedule(const std::string& scheduler) {
  return {.scheduler = scheduler,
          .peak = 2e-3,
          .floor = 1e-4,
          .warmup_steps = 10,
          .schedule_steps = 110};
}

TEST(Schedule, WarmsUpLinearly) {
  for (const char* scheduler : {"cosine", "linear", "noam", "exponential", "none"}) {
    const Schedule rate = schedule(scheduler);

    for (int step = 0; step < 10; ++step)
      EXPECT_NEAR(rate.at(step), 2e-3 * (step + 1) / 10, 1e-12) << scheduler << ' ' << step;
  }
}

TEST(Schedule, StartsAtThePeakWithoutWarmUp) {
  for (const char* scheduler : {"cosine", "linear", "noam", "exponential", "none"}) {
    Schedule rate = schedule(scheduler);
    rate.warmup_steps = 0;

    EXPECT_NEAR(rate.at(0), 2e-3, 2e-4) << scheduler;
    EXPECT_LE(rate.at(0), 2e-3) << scheduler;
  }
}

TEST(Schedule, CosineEndsAtTheFloor) {
  const Schedule rate = schedule("cosine");

  EXPECT_DOUBLE_EQ(rate.at(59), (2e-3 + 1e-4) / 2);
  EXPECT_DOUBLE_EQ(rate.at(109), 1e-4);
  EXPECT_GT(rate.at(108), 1e-4);
  EXPECT_DOUBLE_EQ(rate.at(100000), 1e-4);
}

TEST(Schedule, LinearDecayEndsAtTheFloor) {
  const Schedule rate = schedule("linear");

  EXPECT_NEAR(rate.at(59), (2e-3 + 1e-4) / 2, 1e-12);
  EXPECT_NEAR(rate.at(20) - rate.at(19), rate.at(80) - rate.at(79), 1e-12);
  EXPECT_DOUBLE_EQ(rate.at(109), 1e-4);
}

TEST(Schedule, ExponentialDecayIsGeometric) {
  const Schedule rate = schedule("exponential");

  EXPECT_NEAR(rate.at(59), std::sqrt(2e-3 * 1e-4), 1e-12);
  EXPECT_NEAR(rate.at(20) / rate.at(19), rate.at(80) / rate.at(79), 1e-12);
  EXPECT_DOUBLE_EQ(rate.at(109), 1e-4);
}

TEST(Schedule, ExponentialDecayToZeroStaysPositive) {
  Schedule rate = schedule("exponential");
  rate.floor = 0.0;

  EXPECT_GT(rate.at(50), 2e-5);
  EXPECT_GT(rate.at(109), 0.0);
}

TEST(Schedule, NoamDecaysWithTheSquareRootToTheFloor) {
  const Schedule rate = schedule("noam");

  EXPECT_DOUBLE_EQ(rate.at(39), 1e-3);   // step 40, warm-up of 10
  EXPECT_DOUBLE_EQ(rate.at(999), 2e-4);  // independent of the schedule length
  EXPECT_DOUBLE_EQ(rate.at(999999), 1e-4);
}

TEST(Schedule, NeverRisesAfterTheWarmUp) {
  for (const char* scheduler : {"cosine", "linear", "noam", "exponential", "none"}) {
    const Schedule rate = schedule(scheduler);

    for (int step = 10; step < 300; ++step)
      EXPECT_LE(rate.at(step), rate.at(step - 1)) << scheduler << ' ' << step;
  }
}

TEST(Schedule, ScaleDoesNotLowerTheFloor) {
  const Schedule rate = schedule("cosine");

  EXPECT_DOUBLE_EQ(rate.at(4, 0.5), 0.5 * rate.at(4));
  EXPECT_DOUBLE_EQ(rate.at(30, 0.5), 0.5 * rate.at(30));
  EXPECT_DOUBLE_EQ(rate.at(30, 1e-6), 1e-4);
  EXPECT_LT(rate.at(4, 1e-6), 1e-4);  // the warm-up may be below the floor
}

TEST(Schedule, ScheduleShorterThanTheWarmUpEndsAtTheFloor) {
  Schedule rate = schedule("cosine");
  rate.schedule_steps = 5;

  EXPECT_NEAR(rate.at(4), 1e-3, 1e-12);
  EXPECT_DOUBLE_EQ(rate.at(10), 1e-4);
}

TEST(Schedule, RejectsAnUnknownScheduler) {
  EXPECT_THROW(schedule("sine").at(50), UsageError);
}

TEST(Schedule, IsReadFromTheConfiguration) {
  config::TrainingConfig training;
  training.scheduler = "noam";
  training.learning_rate = 0.5;
  training.min_learning_rate = 0.25;
  training.warmup_steps = 7;

  const Schedule rate = schedule_of(training, 1234);

  EXPECT_EQ(rate.scheduler, "noam");
  EXPECT_EQ(rate.peak, 0.5);
  EXPECT_EQ(rate.floor, 0.25);
  EXPECT_EQ(rate.warmup_steps, 7);
  EXPECT_EQ(rate.schedule_steps, 1234);
}

TEST(Schedule, DefaultFloorFollowsASmallLearningRate) {
  config::TrainingConfig training;
  training.learning_rate = 8e-5;

  const Schedule rate = schedule_of(training, 1000);

  EXPECT_GT(rate.floor, 0.0);
  EXPECT_DOUBLE_EQ(rate.at(999), 8e-5 / 20);
}

}  // namespace
}  // namespace myxtts::train
