#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings corpus_of(const Record& record) {
  Findings findings;
  corpus_findings(record, findings);
  return findings;
}

TEST(BadFiles, AreFoundFromOnePercentOn) {
  Record record = support::healthy_record();

  record.corpus.bad_share = 0.0099;
  EXPECT_TRUE(corpus_of(record).empty());
  record.corpus.bad_share = 0.0101;
  EXPECT_FALSE(corpus_of(record).empty());
  record.corpus.bad_share = 0.0301;
  record.corpus.bad_reason = "truncated";
  ASSERT_EQ(corpus_of(record).size(), 1U);
  EXPECT_EQ(corpus_of(record)[0].id, "bad_files");
  EXPECT_EQ(corpus_of(record)[0].severity, Severity::kWarning);
  EXPECT_TRUE(support::has(corpus_of(record)[0].message, "3.0 % of the utterances"));
  EXPECT_TRUE(support::has(corpus_of(record)[0].message, "mostly: truncated"));
  record.corpus.bad_share = 0.0401;
  EXPECT_EQ(corpus_of(record)[0].severity, Severity::kCritical);
}

TEST(LongSilences, AreFoundFromFifteenPercentOn) {
  Record record = support::healthy_record();

  record.corpus.silence_share = 0.149;
  EXPECT_TRUE(corpus_of(record).empty());
  record.corpus.silence_share = 0.151;
  ASSERT_EQ(corpus_of(record).size(), 1U);
  EXPECT_EQ(corpus_of(record)[0].id, "long_silences");
  EXPECT_EQ(corpus_of(record)[0].suggestion, "myxtts corpus check --long-silence 0.5");
  record.settings.trim_silence = false;
  EXPECT_EQ(corpus_of(record)[0].suggestion, "--set data.trim_silence=true");
}

}  // namespace
}  // namespace myxtts::rules
