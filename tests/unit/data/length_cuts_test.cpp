#include "data/length_cuts.h"

#include <algorithm>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

using Cut = std::vector<std::int64_t>;  // M of each part

constexpr std::int64_t kImpossible = std::numeric_limits<std::int64_t>::max();

// Returns the padded frames of a cut; kImpossible if a part has fewer than `least` utterances.
std::int64_t frames_of(const Cut& cut, const std::vector<LengthGroup>& groups, std::int64_t least) {
  std::map<std::int64_t, std::int64_t> counts;
  for (const LengthGroup& group : groups)
    counts[*std::ranges::lower_bound(cut, group.mel)] += group.count;
  std::int64_t frames = 0;
  for (const std::int64_t mel : cut) {
    if (cut.size() > 1 && counts[mel] < least) return kImpossible;
    frames += counts[mel] * mel;
  }
  return frames;
}

// Returns the fewest padded frames of all cuts into `parts`, by exhaustive search.
std::int64_t least_frames(const std::vector<LengthGroup>& groups, int parts, std::int64_t least) {
  std::int64_t best = kImpossible;
  for (unsigned chosen = 0; chosen < 1U << (groups.size() - 1); ++chosen) {
    Cut cut;
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
      if ((chosen >> i & 1U) != 0) cut.push_back(groups[i].mel);
    }
    cut.push_back(groups.back().mel);
    if (std::ssize(cut) == parts) best = std::min(best, frames_of(cut, groups, least));
  }
  return best;
}

TEST(RoundedSize, IsTheNextMultipleOfEight) {
  EXPECT_EQ(rounded_size(0), 8);
  EXPECT_EQ(rounded_size(8), 8);
  EXPECT_EQ(rounded_size(9), 16);
}

TEST(GroupByMel, GroupsLengthsThatRoundToTheSameSize) {
  const std::vector<Lengths> lengths = {{1, 17}, {1, 8}, {1, 1}, {1, 24}, {1, 9}};

  EXPECT_EQ(group_by_mel(lengths), (std::vector<LengthGroup>{{8, 2}, {16, 1}, {24, 2}}));
  EXPECT_TRUE(group_by_mel({}).empty());
}

TEST(GroupByMel, LimitsTheGroupsAndEndsWithTheLongest) {
  base::Random random(3);
  for (int i = 0; i < 100; ++i) {
    const std::vector<Lengths> lengths = any_lengths(random, 300);
    const std::int64_t longest = std::ranges::max_element(lengths, {}, &Lengths::mel)->mel;

    const std::vector<LengthGroup> groups = group_by_mel(lengths, 20);

    std::int64_t count = 0;
    for (const LengthGroup& group : groups)
      count += group.count;
    EXPECT_LE(groups.size(), 20U);
    EXPECT_EQ(count, 300);
    EXPECT_EQ(groups.back().mel, rounded_size(longest));
    EXPECT_TRUE(std::ranges::is_sorted(groups, std::ranges::less_equal{}, &LengthGroup::mel));
  }
}

TEST(BestCuts, EqualTheBestOfAllCuts) {
  base::Random random(11);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(testing::Message() << "corpus " << i);
    std::vector<LengthGroup> groups;
    std::int64_t mel = 0;
    for (std::int64_t g = between(random, 1, 9); g > 0; --g) {
      mel += 8 * between(random, 1, 20);
      groups.push_back({.mel = mel, .count = between(random, 1, 30)});
    }
    const std::int64_t least = between(random, 1, 25);

    const auto cuts = best_cuts(groups, 5, [&](std::int64_t) { return least; });

    for (int parts = 1; parts <= 5; ++parts) {
      const std::int64_t best = least_frames(groups, parts, least);
      if (parts > std::ssize(cuts)) {
        EXPECT_EQ(best, kImpossible) << parts << " parts";
        continue;
      }
      const Cut& cut = cuts[static_cast<std::size_t>(parts - 1)];
      EXPECT_EQ(std::ssize(cut), parts);
      EXPECT_EQ(frames_of(cut, groups, least), best) << parts << " parts";
    }
  }
}

}  // namespace
}  // namespace myxtts::data
