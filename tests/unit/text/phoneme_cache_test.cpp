#include "text/phoneme_cache.h"

#include <string>

#include <gtest/gtest.h>

namespace myxtts::text {
namespace {

TEST(PhonemeCache, FindsInsertedEntries) {
  PhonemeCache cache(1000);
  cache.insert("one", "wan");

  EXPECT_EQ(cache.find("one"), "wan");
  EXPECT_EQ(cache.find("two"), std::nullopt);
}

TEST(PhonemeCache, StaysWithinItsLimit) {
  PhonemeCache cache(1000);
  for (int i = 0; i < 10000; ++i) {
    cache.insert("piece " + std::to_string(i), "phonemes");
    ASSERT_LE(cache.size_bytes(), 1000U);
  }

  EXPECT_EQ(cache.find("piece 0"), std::nullopt);
  EXPECT_TRUE(cache.find("piece 9999").has_value());
}

TEST(PhonemeCache, KeepsFrequentlyUsedEntries) {
  PhonemeCache cache(1000);
  cache.insert("often", "asked");
  for (int i = 0; i < 1000; ++i) {
    cache.insert("piece " + std::to_string(i), "phonemes");
    ASSERT_TRUE(cache.find("often").has_value()) << i;
  }
}

TEST(PhonemeCache, RefusesAnEntryLargerThanHalfTheLimit) {
  PhonemeCache cache(100);
  cache.insert(std::string(80, 'x'), "y");

  EXPECT_EQ(cache.size_bytes(), 0U);
}

}  // namespace
}  // namespace myxtts::text
