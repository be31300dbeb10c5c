#include "train/summary.h"

#include <limits>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace xtts::train {
namespace {

TEST(StepTimes, KnowsNothingWithoutUpdates) {
  const StepTimes times;

  EXPECT_EQ(times.count(), 0);
  EXPECT_EQ(times.wait_share(), 0.0);
  EXPECT_EQ(times.spread().p99, 0.0);
}

TEST(StepTimes, PercentilesOfAShortRunAreExact) {
  StepTimes times;
  for (int i = 100; i >= 1; --i)
    times.record(i, 1.0);

  const TimeSpread spread = times.spread();

  EXPECT_EQ(spread.p10, 10.0);
  EXPECT_EQ(spread.p50, 50.0);
  EXPECT_EQ(spread.p90, 90.0);
  EXPECT_EQ(spread.p99, 99.0);
  EXPECT_NEAR(spread.mean, 50.5, 1e-9);
  EXPECT_NEAR(spread.std, 28.86607, 1e-5);
}

TEST(StepTimes, OneUpdateIsAllItsPercentiles) {
  StepTimes times;
  times.record(0.25, 0.75);

  const TimeSpread spread = times.spread();

  EXPECT_EQ(spread.p10, 0.25);
  EXPECT_EQ(spread.p99, 0.25);
  EXPECT_EQ(spread.std, 0.0);
  EXPECT_EQ(times.wait_share(), 0.75);
}

TEST(StepTimes, TheSplitOfTheTimeAddsUpToOne) {
  StepTimes times;
  EXPECT_EQ(times.split().compute, 0.0);
  times.record(0.5, 0.125, 0.25, 0.0);
  times.record(0.25, 0.0, 0.0, 0.125);

  const TimeSplit split = times.split();

  EXPECT_EQ(split.wait, 0.125);
  EXPECT_EQ(split.copy, 0.25);
  EXPECT_EQ(split.compute, 0.5);
  EXPECT_EQ(split.host, 0.125);
}

TEST(StepTimes, TheModelsLaneIsBusyWaitsOrIsHeldUpByTheHost) {
  StepTimes times;
  times.record(0.5, 0.125, 0.25, 0.0);
  times.record(0.25, 0.0, 0.0, 0.125);

  EXPECT_EQ(times.model_lane(),
            (LaneTimes{.busy_s = 0.75, .waiting_s = 0.125, .blocked_s = 0.125}));
}

TEST(DepthCounts, KnowsTheLeastTheMeanAndTheMiddle) {
  DepthCounts depths;
  EXPECT_EQ(depths.spread().min, 0);
  for (const std::int64_t depth : {50, 3, 3, 3, 7, 50})
    depths.record(depth);

  const DepthSpread spread = depths.spread();

  EXPECT_EQ(spread.min, 3);
  EXPECT_EQ(spread.p50, 3);  // the nearest rank: the third of six
  EXPECT_NEAR(spread.mean, 116.0 / 6.0, 1e-12);
  depths.record(50);
  EXPECT_EQ(depths.spread().p50, 7);
  depths.record(0);
  EXPECT_EQ(depths.spread().min, 0);
}

// Times rise from 0 to 1 over the run: a sample that forgot the beginning or the end would show.
TEST(StepTimes, ALongRunIsSampledFairly) {
  StepTimes times;
  constexpr int kUpdates = 500000;
  for (int i = 0; i < kUpdates; ++i)
    times.record(static_cast<double>(i) / kUpdates, 0.0);

  const TimeSpread spread = times.spread();

  EXPECT_EQ(times.count(), kUpdates);
  EXPECT_NEAR(spread.p10, 0.10, 0.01);
  EXPECT_NEAR(spread.p50, 0.50, 0.01);
  EXPECT_NEAR(spread.p90, 0.90, 0.01);
  EXPECT_NEAR(spread.p99, 0.99, 0.01);
  EXPECT_NEAR(spread.mean, 0.5, 1e-5);
}

TEST(TrainSummary, HasTheFieldsThatMachinesRead) {
  const nlohmann::ordered_json json = to_json(TrainSummary{.steps = 12, .final_loss = 0.5});

  std::set<std::string> names;
  for (const auto& field : json.items())
    names.insert(field.key());
  EXPECT_EQ(names,
            (std::set<std::string>{"audio_s_per_s",
                                   "buffer_depth",
                                   "data_busy",
                                   "final_loss",
                                   "frames_per_s",
                                   "judged",
                                   "judged_best",
                                   "lanes",
                                   "limited_by",
                                   "mode",
                                   "model_busy",
                                   "padding",
                                   "peak_rss_bytes",
                                   "retraces",
                                   "seconds",
                                   "signatures",
                                   "skipped_steps",
                                   "skipped_utterances",
                                   "left_out_utterances",
                                   "step_s",
                                   "steps",
                                   "time_split",
                                   "validation_loss",
                                   "wait_share"}));
  EXPECT_EQ(json.at("step_s").size(), 6U);
  EXPECT_EQ(json.at("time_split").size(), 4U);
  EXPECT_EQ(json.at("lanes").size(), 2U);
  EXPECT_EQ(json.at("steps"), 12);
  EXPECT_EQ(json.at("final_loss"), 0.5);
  EXPECT_EQ(json.at("mode"), "single_buffered");
}

TEST(TrainSummary, HasTheTimesOfBothLanesAndTheDepthOfTheBuffer) {
  const nlohmann::ordered_json json =
      to_json(TrainSummary{.data_lane = {.busy_s = 1.0, .waiting_s = 2.0, .blocked_s = 3.0},
                           .model_lane = {.busy_s = 4.0, .waiting_s = 5.0, .blocked_s = 6.0},
                           .buffer_depth = {.min = 7, .mean = 8.5, .p50 = 9}});

  EXPECT_EQ(json.at("lanes").dump(),
            R"({"data":{"busy_s":1.0,"waiting_s":2.0,"blocked_s":3.0},)"
            R"("model":{"busy_s":4.0,"waiting_s":5.0,"blocked_s":6.0}})");
  EXPECT_EQ(json.at("buffer_depth").dump(), R"({"min":7,"mean":8.5,"p50":9})");
}

TEST(TrainSummary, WhatIsNotThereIsNull) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto json =
      nlohmann::json::parse(to_json(TrainSummary{.validation_loss = infinite}).dump());

  EXPECT_TRUE(json.at("final_loss").is_null());
  EXPECT_TRUE(json.at("validation_loss").is_null());
}

}  // namespace
}  // namespace xtts::train
