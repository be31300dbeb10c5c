#include "train/summary.h"

#include <limits>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace myxtts::train {
namespace {

TEST(StepTimes, AreZeroWithoutSteps) {
  const StepTimes times;

  EXPECT_EQ(times.count(), 0);
  EXPECT_EQ(times.wait_share(), 0.0);
  EXPECT_EQ(times.stats().p99, 0.0);
}

TEST(StepTimes, HaveExactPercentilesForAShortRun) {
  StepTimes times;
  for (int i = 100; i >= 1; --i)
    times.record(i, 1.0);

  const TimeStats stats = times.stats();

  EXPECT_EQ(stats.p10, 10.0);
  EXPECT_EQ(stats.p50, 50.0);
  EXPECT_EQ(stats.p90, 90.0);
  EXPECT_EQ(stats.p99, 99.0);
  EXPECT_NEAR(stats.mean, 50.5, 1e-9);
  EXPECT_NEAR(stats.std, 28.86607, 1e-5);
}

TEST(StepTimes, HaveEqualPercentilesForOneStep) {
  StepTimes times;
  times.record(0.25, 0.75);

  const TimeStats stats = times.stats();

  EXPECT_EQ(stats.p10, 0.25);
  EXPECT_EQ(stats.p99, 0.25);
  EXPECT_EQ(stats.std, 0.0);
  EXPECT_EQ(times.wait_share(), 0.75);
}

TEST(StepTimes, SplitAddsUpToOne) {
  StepTimes times;
  EXPECT_EQ(times.split().compute, 0.0);
  times.record(0.5, 0.125, 0.25, 0.0);
  times.record(0.25, 0.0, 0.0, 0.125);

  const TimeShares split = times.split();

  EXPECT_EQ(split.wait, 0.125);
  EXPECT_EQ(split.copy, 0.25);
  EXPECT_EQ(split.compute, 0.5);
  EXPECT_EQ(split.host, 0.125);
}

TEST(StepTimes, ModelLaneHasBusyWaitingAndBlockedTime) {
  StepTimes times;
  times.record(0.5, 0.125, 0.25, 0.0);
  times.record(0.25, 0.0, 0.0, 0.125);

  EXPECT_EQ(times.model_lane(),
            (LaneTimes{.busy_s = 0.75, .waiting_s = 0.125, .blocked_s = 0.125}));
}

TEST(DepthCounts, ComputesMinimumMeanAndMedian) {
  DepthCounts depths;
  EXPECT_EQ(depths.stats().min, 0);
  for (const std::int64_t depth : {50, 3, 3, 3, 7, 50})
    depths.record(depth);

  const DepthStats stats = depths.stats();

  EXPECT_EQ(stats.min, 3);
  EXPECT_EQ(stats.p50, 3);  // the nearest rank: the third of six
  EXPECT_NEAR(stats.mean, 116.0 / 6.0, 1e-12);
  depths.record(50);
  EXPECT_EQ(depths.stats().p50, 7);
  depths.record(0);
  EXPECT_EQ(depths.stats().min, 0);
}

// Times rise from 0 to 1 over the run, so a sample biased to its start or end would fail.
TEST(StepTimes, SampleALongRunUniformly) {
  StepTimes times;
  constexpr int kSteps = 500000;
  for (int i = 0; i < kSteps; ++i)
    times.record(static_cast<double>(i) / kSteps, 0.0);

  const TimeStats stats = times.stats();

  EXPECT_EQ(times.count(), kSteps);
  EXPECT_NEAR(stats.p10, 0.10, 0.01);
  EXPECT_NEAR(stats.p50, 0.50, 0.01);
  EXPECT_NEAR(stats.p90, 0.90, 0.01);
  EXPECT_NEAR(stats.p99, 0.99, 0.01);
  EXPECT_NEAR(stats.mean, 0.5, 1e-5);
}

TEST(TrainSummary, HasTheFieldsOfThePublicContract) {
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

TEST(TrainSummary, HasLaneTimesAndBufferDepth) {
  const nlohmann::ordered_json json =
      to_json(TrainSummary{.data_lane = {.busy_s = 1.0, .waiting_s = 2.0, .blocked_s = 3.0},
                           .model_lane = {.busy_s = 4.0, .waiting_s = 5.0, .blocked_s = 6.0},
                           .buffer_depth = {.min = 7, .mean = 8.5, .p50 = 9}});

  EXPECT_EQ(json.at("lanes").dump(),
            R"({"data":{"busy_s":1.0,"waiting_s":2.0,"blocked_s":3.0},)"
            R"("model":{"busy_s":4.0,"waiting_s":5.0,"blocked_s":6.0}})");
  EXPECT_EQ(json.at("buffer_depth").dump(), R"({"min":7,"mean":8.5,"p50":9})");
}

TEST(TrainSummary, WritesAbsentAndNonFiniteNumbersAsNull) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto json =
      nlohmann::json::parse(to_json(TrainSummary{.validation_loss = infinite}).dump());

  EXPECT_TRUE(json.at("final_loss").is_null());
  EXPECT_TRUE(json.at("validation_loss").is_null());
}

}  // namespace
}  // namespace myxtts::train
