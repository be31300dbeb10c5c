#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings shapes_of(const Record& record) {
  Findings findings;
  shape_findings(record, findings);
  return findings;
}

TEST(DynamicShapes, AreFoundByTheirSetting) {
  Record record = support::healthy_record();

  record.settings.shape_mode = "dynamic";
  const Findings findings = shapes_of(record);
  record.settings.shape_mode = "fixed";

  ASSERT_EQ(support::ids_in(findings).substr(0, 14), "dynamic_shapes");
  EXPECT_EQ(findings[0].suggestion, "--shape-buckets auto");
  EXPECT_TRUE(support::has(findings[0].message, "1 shape in 60 steps, 0 retraces"));
  EXPECT_TRUE(shapes_of(record).empty());
}

TEST(DynamicShapes, AreFoundByPadToFixedLengthIfTheModeIsUnknown) {
  Record record;

  record.settings.pad_to_fixed_length = false;
  EXPECT_TRUE(support::found(shapes_of(record), "dynamic_shapes"));
  record.settings.pad_to_fixed_length = true;
  EXPECT_TRUE(shapes_of(record).empty());
}

TEST(RemainderBatch, IsFoundForASmallBatchAtTheEndOfAnEpoch) {
  Record record = support::healthy_record();  // 30 steps per epoch
  record.steps[29].signature = "7x120x640";
  record.steps[59].signature = "7x120x640";

  const Findings findings = shapes_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "remainder_batch");
  EXPECT_TRUE(support::has(findings[0].message, "7 rows instead of 16"));
}

TEST(RemainderBatch, IsFoundWithoutEpochsIfItIsRare) {
  Record record = support::healthy_record();
  for (Step& step : record.steps)
    step.epoch.reset();
  record.steps[29].signature = "7x120x640";
  record.steps[59].signature = "7x120x640";

  EXPECT_TRUE(support::found(shapes_of(record), "remainder_batch"));
  for (std::size_t i = 0; i < 7; ++i)
    record.steps[3 * i].signature = "7x120x640";
  EXPECT_TRUE(support::found(shapes_of(record), "batch_size_not_fixed"));
}

TEST(BatchSizeNotFixed, IsFoundForSeveralOddBatchesInAnEpoch) {
  Record record = support::healthy_record();
  record.steps[3].signature = "12x120x640";
  record.steps[9].signature = "14x120x640";

  const Findings findings = shapes_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "batch_size_not_fixed");
  EXPECT_TRUE(support::has(findings[0].message, "2 of 60 batches have 12 to 14 rows"));
  EXPECT_EQ(findings[0].suggestion, "--batch-size 16 --shape-buckets auto");
}

TEST(BatchSizeNotFixed, IsFoundForALargerBatch) {
  Record record = support::healthy_record();
  record.steps[29].signature = "17x120x640";

  EXPECT_TRUE(support::found(shapes_of(record), "batch_size_not_fixed"));
}

TEST(BatchSizeNotFixed, AllowsDifferentRowsPerSignature) {
  Record record = support::healthy_record();
  for (std::size_t i = 0; i < record.steps.size(); i += 3)
    record.steps[i].signature = "30x60x300";

  EXPECT_TRUE(shapes_of(record).empty());
}

TEST(BatchSizeNotFixed, IgnoresInvalidShapes) {
  Record record = support::healthy_record();
  for (const char* odd : {"", "x", "16", "16x120", "16x120x", "16x120x640x3", "16x120x640 "}) {
    record.steps[5].signature = odd;
    EXPECT_TRUE(shapes_of(record).empty()) << odd;
  }
}

TEST(Retraces, AreFoundWithAShapePlan) {
  Record record = support::healthy_record();
  record.steps[12].retraces = 2;
  record.steps[12].step_s = 2.4;

  const Findings findings = shapes_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "retraces");
  EXPECT_TRUE(support::has(findings[0].message, "2 retraces in 60 steps"));
  EXPECT_TRUE(support::has(findings[0].message, "2.00 s lost"));
}

TEST(Retraces, AreNotReportedBesideTheirCause) {
  Record record = support::healthy_record();
  record.settings.shape_mode = "dynamic";
  record.steps[12].retraces = 2;

  EXPECT_FALSE(support::found(shapes_of(record), "retraces"));
}

TEST(OversizedSignature, IsFoundFarAboveTheNinetyNinthPercentile) {
  Record record = support::healthy_record();
  record.corpus.mel_p99 = 600;

  record.settings.signatures = {{.batch = 16, .text = 120, .mel = 900, .share = 1.0}};
  EXPECT_TRUE(shapes_of(record).empty());
  record.settings.signatures[0].mel = 928;
  const Findings findings = shapes_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "oversized_signature");
  EXPECT_EQ(findings[0].suggestion, "--max-mel-frames 608");
}

TEST(OversizedSignature, IsNotFoundIfItIsRare) {
  Record record = support::healthy_record();
  record.settings.signatures.push_back({.batch = 4, .text = 400, .mel = 2520, .share = 0.06});
  EXPECT_TRUE(shapes_of(record).empty());  // 0.06 x 3/4 = 4.5 %

  record.settings.signatures.back().share = 0.07;
  EXPECT_TRUE(support::found(shapes_of(record), "oversized_signature"));
}

}  // namespace
}  // namespace myxtts::rules
