#include "base/memory.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

TEST(ParseBytes, ParsesNumbersWithAndWithoutUnits) {
  EXPECT_EQ(parse_bytes("1234"), 1234);
  EXPECT_EQ(parse_bytes("800MB"), 800'000'000);
  EXPECT_EQ(parse_bytes("6 GB"), 6'000'000'000);
  EXPECT_EQ(parse_bytes("1.5GiB"), 1'610'612'736);
  EXPECT_EQ(parse_bytes("0"), 0);
}

TEST(ParseBytes, RefusesOtherText) {
  for (const char* text : {"", "GB", "12 parsecs", "-1", "nan", "inf", "1e40", "12GB more", "0x10"})
    EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(ResidentBytes, GrowsByTouchedMemory) {
  const std::int64_t before = resident_bytes();
  constexpr std::size_t kBytes = 64 << 20;
  std::vector<char> block(kBytes, 1);
  const std::int64_t grown = resident_bytes() - before;
  EXPECT_GT(grown, 60 << 20);
  EXPECT_LT(grown, std::int64_t{1} << 30);  // sanitizers add shadow memory of the same size
  EXPECT_GE(peak_resident_bytes(), before + grown - (1 << 20));
  EXPECT_EQ(block[kBytes - 1], 1);
}

TEST(FreeMemoryBytes, IsPlausible) {
  EXPECT_GT(free_memory_bytes(), 1 << 20);
  EXPECT_LT(free_memory_bytes(), std::int64_t{1} << 50);
}

}  // namespace
}  // namespace myxtts::base
