#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings symptoms_of(const Record& record) {
  Findings findings;
  symptom_findings(record, findings);
  return findings;
}

// Every sixth batch takes `long_s`, the others 0.5 s.
Record cyclic(double long_s, std::size_t count = 60) {
  Record record = support::healthy_record(count);
  for (std::size_t i = 0; i < count; ++i)
    record.steps[i].step_s = i % 6 == 5 ? long_s : 0.5;
  return record;
}

TEST(CyclicVariation, ReportsThePeriod) {
  const Findings findings = symptoms_of(cyclic(28.0));

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "cyclic_variation");
  EXPECT_TRUE(support::has(findings[0].message,
                           "HIGH VARIATION DETECTED - cyclic pattern, every 6 batches"));
}

TEST(CyclicVariation, ReportsTheMaximum) {
  Record record = cyclic(2.0);
  record.steps[7].step_s = 9.25;  // a single outlier

  EXPECT_TRUE(support::has(symptoms_of(record).at(0).message,
                           "a batch takes 0.50 s (median), at most 9.25 s (std"))
      << symptoms_of(record).at(0).message;
}

TEST(CyclicVariation, IsFoundFromThirtyPercentOn) {
  EXPECT_TRUE(symptoms_of(cyclic(0.94)).empty());   // 28.6 %
  EXPECT_FALSE(symptoms_of(cyclic(0.98)).empty());  // 30.8 %
}

TEST(CyclicVariation, IncludesTheWaitBeforeAStep) {
  Record record = cyclic(0.5);
  for (std::size_t i = 3; i < record.steps.size(); i += 4)
    record.steps[i].wait_s = 2.0;

  EXPECT_TRUE(support::has(symptoms_of(record).at(0).message, "every 4 batches"));
}

TEST(CyclicVariation, NeedsTwentySteps) {
  EXPECT_TRUE(symptoms_of(cyclic(28.0, 19)).empty());
}

TEST(HighVariation, WithoutAPeriodIsANote) {
  Record record = support::healthy_record();
  for (const std::size_t i : {3U, 4U, 9U, 11U, 17U, 30U, 31U, 48U, 50U})
    record.steps[i].step_s = 3.0;

  const Findings findings = symptoms_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "high_variation");
  EXPECT_EQ(findings[0].severity, Severity::kNote);
}

TEST(HighVariation, IgnoresAFewOutliers) {
  Record record = support::healthy_record();
  for (const std::size_t i : {3U, 4U, 9U, 11U, 17U, 30U, 31U, 48U})
    record.steps[i].step_s = 3.0;
  EXPECT_TRUE(symptoms_of(record).empty());

  record.steps[50].step_s = 3.0;  // 15 %
  EXPECT_TRUE(support::found(symptoms_of(record), "high_variation"));
}

TEST(MachineBusy, IsFoundFromAQuarterOfTheCoresOn) {
  Record record = support::healthy_record();

  record.machine.load_by_others = 0.99;
  EXPECT_TRUE(symptoms_of(record).empty());
  record.machine.load_by_others = 1.01;
  ASSERT_EQ(symptoms_of(record).size(), 1U);
  EXPECT_EQ(symptoms_of(record)[0].id, "machine_busy");
  EXPECT_TRUE(is_healthy(symptoms_of(record)));
  EXPECT_FALSE(symptoms_of(record)[0].suggestion.empty());
}

}  // namespace
}  // namespace myxtts::rules
