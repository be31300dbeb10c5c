#include "rules/limit_line.h"

#include <gtest/gtest.h>

#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Record of_steps(const Step& step, std::size_t count = 50) {
  Record record;
  record.steps.assign(count, step);
  return record;
}

TEST(LimitLine, NamesABusyModel) {
  const Record record = of_steps({.step_s = 0.98, .wait_s = 0.01, .host_s = 0.01});

  EXPECT_EQ(limit_line(record), "limited by the model: it was busy 98 % of the time");
  EXPECT_EQ(limit_name(record), "model");
}

TEST(LimitLine, NamesLoadingFromTenPercentOn) {
  EXPECT_EQ(limit_name(of_steps({.step_s = 0.91, .wait_s = 0.09})), "model");
  EXPECT_EQ(limit_name(of_steps({.step_s = 0.89, .wait_s = 0.11})), "loading");
}

TEST(LimitLine, NamesTheLongestLoadingStageAndTheWorkersNeeded) {
  Record record = of_steps({.step_s = 0.4, .wait_s = 0.7});
  record.settings.batch_size = 16;
  record.settings.num_workers = 1;
  record.machine.usable_cores = 4;
  record.loading.stages = {{.name = "mel", .cpu_s = 0.71 * 1.1 / 16},
                           {.name = "read", .cpu_s = 0.29 * 1.1 / 16}};

  EXPECT_EQ(limit_line(record),
            "limited by loading: the model waited 64 % of the time; mel takes 71 % of loading on 1 "
            "worker; --num-workers 3 would keep the model busy (computed)");
  record.machine.usable_cores = 2;
  EXPECT_EQ(limit_line(record),
            "limited by loading: the model waited 64 % of the time; mel takes 71 % of loading on 1 "
            "worker; it would take 3 workers to keep the model busy (computed), and there are 2 "
            "cores");
}

TEST(LimitLine, NamesLoadingWithoutStageTimes) {
  Record record = of_steps({.step_s = 0.4, .wait_s = 0.1});
  EXPECT_EQ(limit_line(record), "limited by loading: the model waited 20 % of the time");

  record.settings.num_workers = 0;
  EXPECT_EQ(limit_line(record),
            "limited by loading: the model waited 20 % of the time; loading ran on no worker, "
            "between the steps");
}

TEST(LimitLine, NamesRetracesByTheirCost) {
  Record record = of_steps({.step_s = 0.5});
  for (std::size_t i = 0; i < 50; i += 5)
    record.steps[i] = {.step_s = 28.0, .retraces = 1};

  EXPECT_EQ(limit_line(record),
            "limited by retraces: 10 in 50 steps took 92 % of the time; --shape-buckets auto plans "
            "every shape before step 1");
}

TEST(LimitLine, NamesTheHostAndCopying) {
  EXPECT_EQ(
      limit_line(of_steps({.step_s = 0.6, .host_s = 0.4})),
      "limited by the host: reports, validations, samples and checkpoints took 40 % of the time");
  EXPECT_EQ(limit_name(of_steps({.step_s = 1.0, .copy_s = 0.2})), "copying");
}

TEST(LimitLine, NamesTheCoresIfTheModelWaitsWhileDataIsReady) {
  const Record record = of_steps({.step_s = 0.86, .wait_s = 0.14, .buffer_depth = 40});

  EXPECT_EQ(limit_line(record),
            "limited by the cores: the model waited 14 % of the time although data was ready");
  EXPECT_EQ(limit_name(record), "cores");
  EXPECT_EQ(limit_name(of_steps({.step_s = 0.91, .wait_s = 0.09, .buffer_depth = 40})), "model");
}

TEST(LimitLine, AddsTheLoadOfOtherPrograms) {
  Record record = of_steps({.step_s = 0.98, .wait_s = 0.02});
  record.machine = {.usable_cores = 2, .load_by_others = 1.8};
  EXPECT_EQ(
      limit_line(record),
      "limited by the model: it was busy 98 % of the time; other programs kept 1.8 of 2 cores "
      "busy");

  record.machine.load_by_others = 0.4;
  EXPECT_EQ(limit_line(record), "limited by the model: it was busy 98 % of the time");
  EXPECT_EQ(limit_line({.machine = {.usable_cores = 2, .load_by_others = 1.8}}),
            "nothing was measured: no step ran");
}

TEST(LimitLine, ReportsThatNoStepRan) {
  EXPECT_EQ(limit_line({}), "nothing was measured: no step ran");
  EXPECT_EQ(limit_name({}), "nothing");
}

}  // namespace
}  // namespace myxtts::rules
