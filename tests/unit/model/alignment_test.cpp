#include "model/alignment.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "support/scale.h"

namespace myxtts::model {
namespace {

using Durations = std::vector<std::int64_t>;

struct Case {
  std::int64_t symbols = 0;
  std::int64_t frames = 0;
  std::int64_t stride = 0;
  std::vector<float> scores;  // [frames, stride]

  std::string name() const { return fmt::format("{} symbols, {} frames", symbols, frames); }
};

// Scores are multiples of `grain`, so that their sums are exact in both precisions and ties occur.
// Elements beyond the symbols have values that would win if they were read.
Case random_case(base::Random& random,
                 std::int64_t max_frames,
                 double grain,
                 std::int64_t range = 400) {
  Case one;
  one.frames = static_cast<std::int64_t>(1 + random.below(static_cast<std::uint64_t>(max_frames)));
  const std::uint64_t kind = random.below(4);
  one.symbols =
      kind == 0 ? 1
      : kind == 1
          ? one.frames
          : static_cast<std::int64_t>(1 + random.below(static_cast<std::uint64_t>(one.frames)));
  one.stride = one.symbols + static_cast<std::int64_t>(random.below(3));
  one.scores.assign(static_cast<std::size_t>(one.frames * one.stride), 1e30F);
  for (std::int64_t m = 0; m < one.frames; ++m) {
    for (std::int64_t t = 0; t < one.symbols; ++t) {
      const auto steps = static_cast<double>(random.below(static_cast<std::uint64_t>(range)));
      one.scores[static_cast<std::size_t>(m * one.stride + t)] =
          static_cast<float>((steps - static_cast<double>(range)) * grain);
    }
  }
  return one;
}

Durations reference(const Case& one) {
  return reference_alignment(one.scores, one.symbols, one.frames, one.stride);
}

Durations fast(const Case& one, AlignmentScratch& scratch) {
  Durations durations(static_cast<std::size_t>(one.symbols), -1);
  align(one.scores, one.symbols, one.frames, one.stride, scratch, durations);
  return durations;
}

double score_of(const Case& one, const Durations& durations) {
  double sum = 0.0;
  std::int64_t frame = 0;
  for (std::size_t t = 0; t < durations.size(); ++t)
    for (std::int64_t i = 0; i < durations[t]; ++i, ++frame)
      sum += one.scores[static_cast<std::size_t>(frame * one.stride) + t];
  return sum;
}

// Visits every path that gives each symbol at least one frame.
void each_path(std::int64_t symbols,
               std::int64_t frames,
               Durations& prefix,
               const std::function<void(const Durations&)>& visit) {
  if (symbols == 1) {
    prefix.push_back(frames);
    visit(prefix);
    prefix.pop_back();
    return;
  }
  for (std::int64_t first = 1; first <= frames - symbols + 1; ++first) {
    prefix.push_back(first);
    each_path(symbols - 1, frames - first, prefix, visit);
    prefix.pop_back();
  }
}

// Returns the best path; ties go to the path whose last symbols are shortest.
Durations best_of_all_paths(const Case& one) {
  Durations best;
  double best_score = -std::numeric_limits<double>::infinity();
  const auto shorter_end = [](const Durations& a, const Durations& b) {
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  };
  Durations prefix;
  each_path(one.symbols, one.frames, prefix, [&](const Durations& path) {
    const double score = score_of(one, path);
    if (score > best_score || (score == best_score && shorter_end(path, best))) {
      best = path;
      best_score = score;
    }
  });
  return best;
}

TEST(ReferenceAlignment, FindsTheBestOfAllMonotonicPaths) {
  base::Random random(1);
  for (int i = 0; i < 400 * support::test_scale(); ++i) {
    const std::int64_t range = i % 2 == 0 ? 3 : 400;  // many ties, or none
    const Case one = random_case(random, 9, 1.0, range);

    ASSERT_EQ(reference(one), best_of_all_paths(one)) << one.name();
  }
}

TEST(Alignment, EqualsTheReferenceForExactScores) {
  base::Random random(2);
  AlignmentScratch scratch;  // shared by all cases, as in a thread
  for (int i = 0; i < 500 * support::test_scale(); ++i) {
    const std::int64_t range = i % 3 == 0 ? 3 : 4000;
    const Case one = random_case(random, i % 10 == 0 ? 300 : 40, 1.0 / 64.0, range);

    ASSERT_EQ(fast(one, scratch), reference(one)) << one.name();
  }
}

// With rounded sums both versions may choose different paths with nearly the same score.
TEST(Alignment, RoundingLosesNoScore) {
  base::Random random(3);
  AlignmentScratch scratch;
  for (int i = 0; i < 200 * support::test_scale(); ++i) {
    Case one = random_case(random, 200, 1.0);
    for (float& score : one.scores)
      score = static_cast<float>(-100.0 * random.unit());

    const double best = score_of(one, reference(one));
    const double found = score_of(one, fast(one, scratch));

    ASSERT_LE(best - found, 1e-6 * std::abs(best)) << one.name();
  }
}

TEST(Alignment, GivesEverySymbolAFrameAndEveryFrameASymbol) {
  base::Random random(4);
  AlignmentScratch scratch;
  for (int i = 0; i < 200; ++i) {
    const Case one = random_case(random, 60, 1.0);
    const Durations durations = fast(one, scratch);

    EXPECT_EQ(std::accumulate(durations.begin(), durations.end(), std::int64_t{0}), one.frames);
    EXPECT_GE(*std::ranges::min_element(durations), 1) << one.name();
  }
}

TEST(Alignment, FollowsUnambiguousScores) {
  const Durations expected = {3, 1, 5, 2};
  Case one{.symbols = 4, .frames = 11, .stride = 4, .scores = std::vector<float>(44, -1.0F)};
  std::size_t frame = 0;
  for (std::size_t t = 0; t < expected.size(); ++t)
    for (std::int64_t i = 0; i < expected[t]; ++i, ++frame)
      one.scores[frame * 4 + t] = 0.0F;

  AlignmentScratch scratch;
  EXPECT_EQ(fast(one, scratch), expected);
}

TEST(Alignment, RejectsMoreSymbolsThanFramesAndNoSymbols) {
  AlignmentScratch scratch;
  Durations durations(5);
  const std::vector<float> scores(20);

  EXPECT_THROW(align(scores, 5, 4, 5, scratch, durations), BugError);
  EXPECT_THROW(align(scores, 0, 4, 5, scratch, durations), BugError);
  EXPECT_THROW(reference_alignment(scores, 5, 4, 5), BugError);
  EXPECT_THROW(reference_alignment(scores, 0, 4, 5), BugError);
}

}  // namespace
}  // namespace myxtts::model
