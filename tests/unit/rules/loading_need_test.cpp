#include "rules/loading_need.h"

#include <gtest/gtest.h>

#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Record loading_record(double per_utterance_s, double step_s) {
  Record record;
  record.settings.batch_size = 10;
  record.settings.num_workers = 1;
  record.loading.stages = {{.name = "mel", .cpu_s = per_utterance_s}};
  record.steps = {{.step_s = step_s}};
  return record;
}

TEST(StageShares, AreSortedByDuration) {
  const Loading loading = {.stages = {{.name = "read", .cpu_s = 0.1, .wall_s = 0.2},
                                      {.name = "mel", .cpu_s = 0.6},
                                      {.name = "pad", .wall_s = 0.2}}};

  const std::vector<StageShare> shares = stage_shares(loading);

  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0].name, "mel");
  EXPECT_DOUBLE_EQ(shares[0].share, 0.6);
  EXPECT_DOUBLE_EQ(shares[0].waiting_share, 0.0);
  EXPECT_EQ(shares[1].name, "read");
  EXPECT_DOUBLE_EQ(shares[1].waiting_share, 0.5);
  EXPECT_DOUBLE_EQ(share_of_stage(loading, "read"), 0.2);
  EXPECT_EQ(share_of_stage(loading, "text"), 0.0);
  EXPECT_TRUE(stage_shares({}).empty());
}

TEST(LoadingNeed, ComputesWorkersFromLoadingAndStepTime) {
  EXPECT_EQ(loading_need_of(loading_record(0.1, 0.5)).workers_needed(), 2);
  EXPECT_EQ(loading_need_of(loading_record(0.101, 0.5)).workers_needed(), 3);
  EXPECT_EQ(loading_need_of(loading_record(0.001, 0.5)).workers_needed(), 1);
  EXPECT_EQ(loading_need_of(loading_record(1e9, 1e-9)).workers_needed(), 256);
  EXPECT_EQ(loading_need_of({}).workers_needed(), std::nullopt);
}

TEST(LoadingNeed, UsesTheRowsOfTheSignature) {
  Record record = loading_record(0.1, 0.5);
  record.settings.batch_size = 16;
  record.steps[0].signature = "7x168x864";

  EXPECT_NEAR(loading_need_of(record).batch_s.value(), 0.7, 1e-12);
  EXPECT_EQ(loading_need_of(record).workers_needed(), 2);
}

TEST(LoadingNeed, AcceptsWholeBatchTimesInsteadOfStages) {
  Record record = loading_record(0.1, 0.5);
  record.loading.stages.clear();
  record.loading.batch_cpu_s = 1.0;

  EXPECT_EQ(loading_need_of(record).workers_needed(), 2);
}

TEST(IsStarved, UsesTheMeasuredWait) {
  Record record = support::healthy_record();

  support::starve(record, 0.049);
  EXPECT_FALSE(is_starved(record));
  support::starve(record, 0.051);
  EXPECT_TRUE(is_starved(record));
  EXPECT_FALSE(is_badly_starved(record));
  support::starve(record, 0.31);
  EXPECT_TRUE(is_badly_starved(record));
}

TEST(IsStarved, IsFalseIfBatchesWereReady) {
  Record record = support::healthy_record();
  support::starve(record, 0.31);
  for (Step& step : record.steps)
    step.buffer_depth = 40;

  EXPECT_FALSE(is_starved(record));
}

// A step of 0.4 s on a tenth of the cores would take 0.04 s on a free machine.
TEST(IsStarved, IsFalseIfOtherProgramsUseTheCores) {
  Record record = support::healthy_record();  // two workers, four cores, 16 rows
  support::starve(record, 0.2);
  record.machine.load_by_others = 3.6;

  record.loading.stages = {{.name = "mel", .cpu_s = 0.079 / 16}};
  EXPECT_TRUE(is_starved_by_others(record));
  EXPECT_FALSE(is_starved(record));
  EXPECT_TRUE(waits_for_data(record));
  record.loading.stages = {{.name = "mel", .cpu_s = 0.081 / 16}};
  EXPECT_FALSE(is_starved_by_others(record)) << "two workers are too slow even on a free machine";
  EXPECT_TRUE(is_starved(record));

  record.loading = {};
  EXPECT_TRUE(is_starved_by_others(record)) << "the loading time is unknown";
  record.machine.load_by_others = 0.5;
  EXPECT_FALSE(is_starved_by_others(record));
  EXPECT_TRUE(is_starved(record));
}

TEST(IsStarved, UsesTheComputedWaitIfNoneWasMeasured) {
  EXPECT_FALSE(is_starved(loading_record(0.0524, 0.5)));
  EXPECT_TRUE(is_starved(loading_record(0.0530, 0.5)));
  EXPECT_FALSE(is_starved(Record{}));
}

TEST(IsStarved, IsTrueIfPreparationTakesMuchOfTheRun) {
  Record record = support::healthy_record();
  record.settings.planned_steps = 100;  // 40 s

  record.loading.preparation_s = 9.9;
  EXPECT_FALSE(is_starved(record));
  record.loading.preparation_s = 10.1;
  EXPECT_TRUE(is_starved(record));
  record.loading.preparation_s = 39.9;
  EXPECT_FALSE(is_badly_starved(record));
  record.loading.preparation_s = 40.1;
  EXPECT_TRUE(is_badly_starved(record));
}

}  // namespace
}  // namespace myxtts::rules
