#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings model_of(const Record& record) {
  Findings findings;
  model_findings(record, findings);
  return findings;
}

TEST(PrecisionNotUsed, IsFoundForFp32OnAMachineWithBf16) {
  Record record = support::healthy_record();

  record.settings.precision = "fp32";
  ASSERT_EQ(model_of(record).size(), 1U);
  EXPECT_EQ(model_of(record)[0].id, "precision_not_used");
  EXPECT_EQ(model_of(record)[0].suggestion, "--precision auto");
  record.machine.bf16_works = false;
  EXPECT_TRUE(model_of(record).empty());
  record.machine.bf16_works.reset();
  record.machine.bf16_gain = 1.2;
  EXPECT_TRUE(model_of(record).empty());
  record.machine.bf16_gain = 2.0;
  EXPECT_EQ(model_of(record).size(), 1U);
  record.machine.bf16_gain.reset();
  record.machine.cpu_features = {"avx2", "avx512f"};
  EXPECT_TRUE(model_of(record).empty());
  record.machine.cpu_features = {"neon", "bf16"};
  EXPECT_FALSE(model_of(record).empty()) << "the name of the feature on arm64";
  record.machine.cpu_features = {"neon"};
  record.settings.device = "cuda:0";
  EXPECT_FALSE(model_of(record).empty());
}

TEST(ModelTooSmall, IsFoundIfMuchTimeLiesBetweenSteps) {
  Record record = support::healthy_record();
  for (Step& step : record.steps)
    step = {.step_s = 0.003, .host_s = 0.00099};
  record.model = {};
  EXPECT_TRUE(model_of(record).empty());

  for (Step& step : record.steps)
    step.host_s = 0.00101;
  ASSERT_EQ(model_of(record).size(), 1U);
  EXPECT_EQ(model_of(record)[0].id, "model_too_small");
  EXPECT_EQ(model_of(record)[0].suggestion, "--batch-size 64");  // 4 x the batch for 10 % overhead
  for (Step& step : record.steps)
    step.host_s = 0.1;
  EXPECT_EQ(model_of(record)[0].suggestion, "--batch-size 128");  // at most 8 x in one suggestion
}

TEST(ModelTooSmall, IgnoresTimeBetweenStepsOnABusyMachine) {
  Record record = support::healthy_record();
  for (Step& step : record.steps)
    step = {.step_s = 0.003, .host_s = 0.1};
  record.model = {};

  record.machine.load_by_others = 0.99;  // of four cores
  EXPECT_EQ(model_of(record).size(), 1U);
  record.machine.load_by_others = 1.0;
  EXPECT_TRUE(model_of(record).empty());
}

TEST(ModelTooSmall, IgnoresValidationsAndCheckpoints) {
  Record record = support::healthy_record();
  for (std::size_t i = 0; i < record.steps.size(); i += 5)
    record.steps[i].host_s = 30.0;

  EXPECT_TRUE(model_of(record).empty());
}

TEST(ModelTooSmall, IsFoundIfAStepReachesLittleOfThePeak) {
  Record record = support::healthy_record();
  record.model.machine_multiply_adds_per_s = 1e11;  // 4e10 in a step

  record.model.multiply_adds = 0.051 * 4e10;
  EXPECT_TRUE(model_of(record).empty());
  record.model.multiply_adds = 0.049 * 4e10;
  ASSERT_EQ(model_of(record).size(), 1U);
  EXPECT_EQ(model_of(record)[0].id, "model_too_small");
  record.machine.load_by_others = 1.0;  // of four cores
  EXPECT_TRUE(model_of(record).empty());
}

}  // namespace
}  // namespace myxtts::rules
