#include "rules/time_split.h"

#include <gtest/gtest.h>

namespace myxtts::rules {
namespace {

TEST(SplitOf, SumsTheParts) {
  const std::vector<Step> steps = {
      {.step_s = 0.5, .wait_s = 0.1, .copy_s = 0.1, .host_s = 0.2},
      {.step_s = 0.4, .wait_s = 0.3},
  };

  const TimeSplit split = split_of(steps);

  EXPECT_EQ(split.steps, 2);
  EXPECT_DOUBLE_EQ(split.compute_s, 0.8);
  EXPECT_DOUBLE_EQ(split.copy_s, 0.1);
  EXPECT_DOUBLE_EQ(split.wait_s, 0.4);
  EXPECT_DOUBLE_EQ(split.host_s, 0.2);
  EXPECT_DOUBLE_EQ(split.total_s(), 1.5);
  EXPECT_DOUBLE_EQ(split.share_of_wanted(split.wait_s), 0.4 / 1.3);
}

TEST(SplitOf, HasNoWaitIfNoneWasMeasured) {
  EXPECT_EQ(split_of({}).share_of_wanted(1.0), 0.0);
  EXPECT_EQ(split_of({}).share_of(1.0), 0.0);
  EXPECT_FALSE(split_of(std::vector<Step>{{.step_s = 1.0}}).has_wait);
}

TEST(StarvedSeconds, CountWaitsWithAnEmptyBuffer) {
  const std::vector<Step> steps = {{.step_s = 1.0, .wait_s = 0.5, .buffer_depth = 0},
                                   {.step_s = 1.0, .wait_s = 0.25, .buffer_depth = 3},
                                   {.step_s = 1.0, .wait_s = 8.0, .buffer_depth = 2},
                                   {.step_s = 1.0, .wait_s = 4.0},
                                   {.step_s = 1.0, .wait_s = 0.125}};

  EXPECT_DOUBLE_EQ(starved_s(steps), 0.875);
  EXPECT_EQ(starved_s({}), 0.0);
}

// `top` evaluates the last steps of a run: one outlier at the edge of the window is not starvation.
TEST(StarvedSeconds, UseTheDepthAfterTheFirstStepOfAWindow) {
  std::vector<Step> steps = {{.step_s = 1.0, .wait_s = 9.0, .buffer_depth = 40},
                             {.step_s = 1.0, .wait_s = 0.5, .buffer_depth = 39}};
  EXPECT_EQ(starved_s(steps), 0.0);

  steps[0].buffer_depth = 0;
  EXPECT_EQ(starved_s(steps), 9.5);
  steps[0].buffer_depth.reset();
  EXPECT_EQ(starved_s(steps), 9.5);
}

TEST(MedianOf, ReturnsTheMiddleValue) {
  EXPECT_EQ(median_of({3.0}), 3.0);
  EXPECT_EQ(median_of({9.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median_of({9.0, 1.0, 2.0, 4.0}), 3.0);
}

TEST(MedianTimes, AreRobustAgainstOneLongStep) {
  const std::vector<Step> steps = {
      {.step_s = 30.0, .host_s = 12.0}, {.step_s = 0.5, .host_s = 0.01}, {.step_s = 0.5}};

  EXPECT_EQ(median_step_s(steps), 0.5);
  EXPECT_NEAR(median_host_s(steps).value(), 6.005, 1e-9);
  EXPECT_EQ(median_step_s({}), std::nullopt);
  EXPECT_EQ(median_host_s(std::vector<Step>{{.step_s = 1.0}}), std::nullopt);
}

TEST(RetraceCost, IsTheTimeBeyondTheMedianStep) {
  const std::vector<Step> steps = {{.step_s = 28.5, .retraces = 1},
                                   {.step_s = 0.5},
                                   {.step_s = 10.5, .retraces = 2},
                                   {.step_s = 0.5},
                                   {.step_s = 0.5}};

  EXPECT_EQ(num_retraces(steps), 3);
  EXPECT_DOUBLE_EQ(retrace_cost_s(steps).value(), 38.0);
  EXPECT_EQ(retrace_cost_s(std::vector<Step>{{.step_s = 1.0}}), std::nullopt);
  EXPECT_EQ(retrace_cost_s(std::vector<Step>{{.step_s = 1.0, .retraces = 1}}), std::nullopt);
}

}  // namespace
}  // namespace myxtts::rules
