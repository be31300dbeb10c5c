#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings cache_of(const Record& record) {
  Findings findings;
  cache_findings(record, findings);
  return findings;
}

TEST(CacheOff, IsFoundFromThreePlannedEpochsOn) {
  Record record = support::healthy_record();

  record.settings.cache = "off";
  record.settings.planned_epochs = 2.9;
  EXPECT_TRUE(cache_of(record).empty());
  record.settings.planned_epochs = 3.0;
  ASSERT_EQ(cache_of(record).size(), 1U);
  EXPECT_EQ(cache_of(record)[0].id, "cache_off");
  EXPECT_EQ(cache_of(record)[0].severity, Severity::kWarning);
  EXPECT_EQ(cache_of(record)[0].suggestion, "--cache auto");
  support::starve(record, 0.06);
  EXPECT_EQ(cache_of(record)[0].severity, Severity::kCritical);
  record.settings.cache = "disk";
  EXPECT_TRUE(cache_of(record).empty());
}

TEST(CacheFull, IsFoundIfAFullCacheMisses) {
  Record record = support::healthy_record();
  record.cache = {.hits = 980, .misses = 20, .bytes = 990'000'000, .limit_bytes = 1'000'000'000};
  EXPECT_TRUE(cache_of(record).empty());

  record.cache.misses = 21;
  ASSERT_EQ(cache_of(record).size(), 1U);
  EXPECT_EQ(cache_of(record)[0].id, "cache_full");
  EXPECT_TRUE(support::has(cache_of(record)[0].message, "full at 990 MB: 2.1 %"));
  EXPECT_EQ(cache_of(record)[0].suggestion, "--cache-limit 3GB");  // 24 hours

  record.cache.bytes = 970'000'000;
  EXPECT_TRUE(cache_of(record).empty());
  record.cache.stopped = true;  // by a full disk
  EXPECT_FALSE(cache_of(record).empty());
}

TEST(CacheFull, IsNotFoundWhileTheFirstEpochFillsTheCache) {
  Record record = support::healthy_record();
  record.cache = {.hits = 0, .misses = 500, .bytes = 100'000'000, .limit_bytes = 1'000'000'000};

  EXPECT_TRUE(cache_of(record).empty());
}

}  // namespace
}  // namespace myxtts::rules
