#include "base/random.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

TEST(Random, MatchesTheTestVectorOfSplitmix64) {
  Random random(1234567);

  // Published test vector of splitmix64 with this seed.
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
}

TEST(Random, UnitStaysBelowOneAndFillsTheRange) {
  Random random(1);
  double sum = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.unit();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Random, ShuffleKeepsEveryItem) {
  std::vector<int> items(50);
  for (int i = 0; i < 50; ++i)
    items[static_cast<std::size_t>(i)] = i;
  const std::vector<int> sorted = items;

  Random(3).shuffle(items);

  EXPECT_NE(items, sorted);
  std::ranges::sort(items);
  EXPECT_EQ(items, sorted);
}

TEST(MixSeed, DependsOnSeedPurposeAndIndex) {
  const std::set<std::uint64_t> seeds = {
      mix_seed(1, "a", 0), mix_seed(2, "a", 0), mix_seed(1, "b", 0), mix_seed(1, "a", 1)};
  EXPECT_EQ(seeds.size(), 4U);
}

}  // namespace
}  // namespace myxtts::base
