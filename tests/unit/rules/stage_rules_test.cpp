#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings stages_of(const Record& record) {
  Findings findings;
  stage_findings(record, findings);
  return findings;
}

// A starved run in which `stage` takes `share` of loading and waits `waits` of that.
Record stage_record(const std::string& stage, double share, double waits = 0.0) {
  Record record = support::healthy_record();
  record.settings.num_workers = 3;
  support::starve(record, 0.2);
  record.loading.stages = {
      {.name = stage, .cpu_s = 0.1 * share * (1.0 - waits), .wall_s = 0.1 * share},
      {.name = "mel", .cpu_s = 0.1 * (1.0 - share)}};
  return record;
}

TEST(SlowText, IsFoundIfTextTakesMuchOfLoading) {
  EXPECT_TRUE(stages_of(stage_record("text", 0.34)).empty());
  const Findings findings = stages_of(stage_record("text", 0.36));

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "slow_text");
  EXPECT_TRUE(support::has(findings[0].message, "36 % of loading"));
}

TEST(SlowText, IsFoundIfEspeakRestartsOften) {
  Record record = support::healthy_record();
  record.corpus.utterances = 60;

  record.loading.text_restarts = 2;
  EXPECT_TRUE(stages_of(record).empty());
  record.loading.text_restarts = 3;
  ASSERT_EQ(stages_of(record).size(), 1U);
  EXPECT_EQ(stages_of(record)[0].id, "slow_text");
  EXPECT_TRUE(support::has(stages_of(record)[0].message, "3 times"));
  EXPECT_EQ(stages_of(record)[0].severity, Severity::kCritical);
}

TEST(SlowText, AllowsFewRestartsInALargeCorpus) {
  Record record = support::healthy_record();
  record.corpus.utterances = 1000;

  record.loading.text_restarts = 49;
  EXPECT_TRUE(stages_of(record).empty());
  record.loading.text_restarts = 50;
  EXPECT_TRUE(support::found(stages_of(record), "slow_text"));
}

TEST(HugeMp3s, AreFoundIfDecodingStarvesTheModel) {
  Record record = stage_record("decode", 0.36);
  record.corpus.encoded_share = 0.19;
  EXPECT_TRUE(stages_of(record).empty());
  record.corpus.encoded_share = 0.21;
  record.corpus.encoded_mean_s = 240.0;

  ASSERT_EQ(stages_of(record).size(), 1U);
  EXPECT_EQ(stages_of(record)[0].id, "huge_mp3s");
  EXPECT_TRUE(support::has(stages_of(record)[0].message, "240.0 s each"));
  EXPECT_EQ(stages_of(record)[0].suggestion, "--cache disk");

  record = stage_record("decode", 0.34);
  record.corpus.encoded_share = 1.0;
  EXPECT_TRUE(stages_of(record).empty());
}

TEST(ResamplingEveryFile, IsFoundIfManyFilesAndMuchTimeAreAffected) {
  Record record = stage_record("resample", 0.36);
  record.corpus.resampled_share = 0.49;
  EXPECT_TRUE(stages_of(record).empty());
  record.corpus.resampled_share = 0.51;
  record.corpus.resampled_from_hz = 44100;

  ASSERT_EQ(stages_of(record).size(), 1U);
  EXPECT_EQ(stages_of(record)[0].id, "resampling_every_file");
  EXPECT_TRUE(support::has(stages_of(record)[0].message, "mostly 44100 Hz"));

  support::starve(record, 0.04);  // the model does not wait
  EXPECT_TRUE(stages_of(record).empty());
}

TEST(SlowDisk, IsFoundIfReadingWaitsForBytes) {
  Record record = stage_record("read", 0.36, 0.6);
  record.machine.disk_bytes_per_s = 2e6;

  const Findings findings = stages_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "slow_disk");
  EXPECT_TRUE(support::has(findings[0].message, "the disk delivers 2 MB per second"));
  EXPECT_TRUE(stages_of(stage_record("read", 0.34, 0.6)).empty());
  EXPECT_TRUE(stages_of(stage_record("read", 0.36, 0.4)).empty());  // mostly CPU time
}

TEST(FileLatency, IsFoundIfReadingWaitsForOpeningFiles) {
  Record record = stage_record("read", 0.6, 0.9);  // 290 kB at 500 MB/s: 0.6 ms

  record.machine.open_s = 0.0005;
  EXPECT_EQ(stages_of(record).at(0).id, "slow_disk");
  record.machine.open_s = 0.0007;
  EXPECT_EQ(stages_of(record).at(0).id, "file_latency");
  EXPECT_EQ(stages_of(record).at(0).suggestion, "--cache disk --num-workers 8");
}

TEST(StageFindings, AreCriticalIfTheModelIsBadlyStarved) {
  Record record = stage_record("text", 0.5);
  support::starve(record, 0.29);
  EXPECT_EQ(stages_of(record).at(0).severity, Severity::kWarning);
  support::starve(record, 0.31);
  EXPECT_EQ(stages_of(record).at(0).severity, Severity::kCritical);
}

}  // namespace
}  // namespace myxtts::rules
