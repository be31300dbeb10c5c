#include "data/buffer_size.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace myxtts::data {
namespace {

constexpr std::int64_t kMega = 1'000'000;
constexpr std::int64_t kPlenty = 64'000 * kMega;

BufferNeeds needs_of(std::optional<double> load_over_train,
                     std::int64_t free_bytes = kPlenty,
                     std::int64_t batch_bytes = kMega) {
  return {.free_bytes = free_bytes,
          .largest_batch_bytes = batch_bytes,
          .load_over_train = load_over_train};
}

// Returns an observation without waits: the buffer stayed nearly full.
BufferObservation calm(const BufferSizer& sizer, double load_over_train) {
  return {.elapsed_s = 10,
          .waited_s = 0,
          .min_depth = sizer.size() - 1,
          .max_depth = sizer.size(),
          .buffered_bytes = sizer.size() * kMega,
          .free_bytes = kPlenty,
          .load_over_train = load_over_train};
}

// Returns an observation in which the model emptied a full buffer.
BufferObservation burst(const BufferSizer& sizer) {
  BufferObservation seen = calm(sizer, 3.0);
  seen.waited_s = 1;
  seen.min_depth = 0;
  return seen;
}

// Returns all size changes during a number of observations.
template <typename Make>
std::vector<BufferChange> changes_in(BufferSizer& sizer, int observations, const Make& make) {
  std::vector<BufferChange> changes;
  for (int i = 0; i < observations; ++i) {
    if (const auto change = sizer.observe(make(i))) changes.push_back(*change);
  }
  return changes;
}

TEST(AutoBufferSize, FasterLoaderNeedsASmallerBuffer) {
  EXPECT_EQ(auto_buffer_size(needs_of(std::nullopt)), kUnmeasuredBuffer);
  EXPECT_EQ(auto_buffer_size(needs_of(17.0)), 17);
  EXPECT_EQ(auto_buffer_size(needs_of(2.0)), 32);
  EXPECT_EQ(auto_buffer_size(needs_of(1.25)), 80);
  EXPECT_EQ(auto_buffer_size(needs_of(1.0)), 512);
  EXPECT_EQ(auto_buffer_size(needs_of(0.3)), 512);
  std::int64_t before = 512;
  for (double ratio = 0.1; ratio < 100.0; ratio *= 1.1) {
    const std::int64_t size = auto_buffer_size(needs_of(ratio));
    EXPECT_LE(size, before) << ratio;
    before = size;
  }
}

TEST(AutoBufferSize, StaysWithinTheBoundsForAnyInput) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double ratio : {-infinity, -1.0, 0.0, 1.0, 1.0 + 1e-12, 3.0, infinity, nan}) {
    for (const std::int64_t free_bytes : {std::int64_t{-5},
                                          std::int64_t{0},
                                          kMega,
                                          100 * kMega,
                                          kPlenty,
                                          std::numeric_limits<std::int64_t>::max()}) {
      for (const std::int64_t batch : {std::int64_t{0}, std::int64_t{1}, kMega, 900 * kMega}) {
        const std::int64_t size = auto_buffer_size(needs_of(ratio, free_bytes, batch));
        EXPECT_GE(size, 1);
        EXPECT_LE(size, 512);
        EXPECT_TRUE(size == 1 || size * batch <= buffer_bytes_allowed(free_bytes));
      }
    }
  }
}

TEST(AutoBufferSize, UsesAQuarterOfTheFreeMemory) {
  EXPECT_EQ(buffer_bytes_allowed(400 * kMega), 100 * kMega);
  EXPECT_EQ(buffer_bytes_allowed(kPlenty), std::int64_t{4} << 30);
  EXPECT_EQ(buffer_bytes_allowed(0), 0);
  EXPECT_EQ(auto_buffer_size(needs_of(1.0, 400 * kMega)), 75);  // of 100 that fit
  EXPECT_EQ(auto_buffer_size(needs_of(17.0, 400 * kMega)), 17);
  EXPECT_EQ(auto_buffer_size(needs_of(1.0, 400 * kMega, 90 * kMega)), 1);
}

TEST(BufferSizer, LoaderThatKeepsUpChangesNothing) {
  BufferSizer sizer(needs_of(3.0));
  const std::int64_t first = sizer.size();

  EXPECT_TRUE(changes_in(sizer, 200, [&](int) { return calm(sizer, 3.0); }).empty());
  EXPECT_EQ(sizer.size(), first);
}

TEST(BufferSizer, FastLoaderReleasesUnusedBatches) {
  BufferSizer sizer(needs_of(std::nullopt));
  const auto changes = changes_in(sizer, 200, [&](int) { return calm(sizer, 40.0); });

  ASSERT_EQ(changes.size(), 1U);  // 50 to 25; 12 would not bridge a pause
  EXPECT_EQ(changes[0].from, 50);
  EXPECT_EQ(changes[0].to, 25);
  EXPECT_EQ(changes[0].line,
            "[pipeline] buffer 50 -> 25 batches: never below 49 recently, and loading is 40.0 x as "
            "fast as training\n");
}

TEST(BufferSizer, WithoutAMeasuredSpeedNothingIsReleased) {
  BufferSizer sizer(needs_of(1.0));
  ASSERT_EQ(sizer.size(), 512);
  const auto changes = changes_in(sizer, 100, [&](int) {
    BufferObservation seen = calm(sizer, 0.0);
    seen.load_over_train.reset();
    return seen;
  });
  EXPECT_TRUE(changes.empty());
}

TEST(BufferSizer, PausesDoubleItUntilTheyAreBridged) {
  BufferSizer sizer(needs_of(17.0));
  const auto changes = changes_in(
      sizer, 100, [&](int) { return sizer.size() < 100 ? burst(sizer) : calm(sizer, 17.0); });

  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0].to, 34);
  EXPECT_EQ(changes[2].to, 136);
  EXPECT_EQ(changes[0].line,
            "[pipeline] buffer 17 -> 34 batches: the model waited 10.0 % of 10 s although the "
            "buffer had been full\n");
  EXPECT_EQ(sizer.size(), 136);  // 68 was too small and is not tried again
}

TEST(BufferSizer, SlowLoaderDoesNotGrowTheBuffer) {
  BufferSizer sizer(needs_of(17.0));
  const auto changes = changes_in(sizer, 100, [&](int) {
    BufferObservation seen = burst(sizer);
    seen.waited_s = 5;
    seen.max_depth = 1;  // it never filled
    seen.load_over_train = 0.5;
    return seen;
  });
  EXPECT_TRUE(changes.empty());
}

TEST(BufferSizer, NegligibleWaitIsIgnored) {
  BufferSizer sizer(needs_of(17.0));
  BufferObservation seen = burst(sizer);
  seen.waited_s = 0.09;
  EXPECT_FALSE(sizer.observe(seen).has_value());
}

TEST(BufferSizer, NewSizeGetsTimeToFill) {
  BufferSizer sizer(needs_of(17.0));
  ASSERT_TRUE(sizer.observe(burst(sizer)).has_value());
  EXPECT_FALSE(sizer.observe(burst(sizer)).has_value());
  EXPECT_TRUE(sizer.observe(burst(sizer)).has_value());
}

TEST(BufferSizer, GrowsUpToItsBounds) {
  BufferSizer by_batches(needs_of(17.0));
  changes_in(by_batches, 200, [&](int) { return burst(by_batches); });
  EXPECT_EQ(by_batches.size(), 512);

  BufferSizer by_bytes(needs_of(17.0, 400 * kMega));
  changes_in(by_bytes, 200, [&](int) {
    BufferObservation seen = burst(by_bytes);
    seen.free_bytes = 400 * kMega - seen.buffered_bytes;
    return seen;
  });
  EXPECT_EQ(by_bytes.size(), 75);
}

TEST(BufferSizer, LowMemoryShrinksItAtOnce) {
  BufferSizer sizer(needs_of(1.0));
  ASSERT_EQ(sizer.size(), 512);
  BufferObservation seen = calm(sizer, 1.0);
  seen.buffered_bytes = 300 * kMega;
  seen.free_bytes = 100 * kMega;

  const auto change = sizer.observe(seen);

  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->to, 75);
  EXPECT_EQ(change->line,
            "[pipeline] buffer 512 -> 75 batches: low memory (400 MB free, 100 MB of it for "
            "the buffer)\n");
}

TEST(BufferSizer, FluctuatingMemoryDoesNotMakeItOscillate) {
  BufferSizer sizer(needs_of(17.0));
  const auto changes = changes_in(sizer, 2000, [&](int i) {
    BufferObservation seen = burst(sizer);  // always demands more
    seen.buffered_bytes = 0;
    seen.free_bytes = i % 10 < 5 ? kPlenty : 100 * kMega;
    return seen;
  });
  EXPECT_LE(changes.size(), 40U);
  EXPECT_GE(changes.size(), 4U);
}

TEST(BufferSizer, SlightlyLessMemoryDoesNotUndoASize) {
  BufferSizer sizer(needs_of(1.0, 400 * kMega));
  ASSERT_EQ(sizer.size(), 75);
  const auto changes = changes_in(sizer, 100, [&](int i) {
    BufferObservation seen = calm(sizer, 1.0);
    seen.buffered_bytes = 75 * kMega;
    seen.free_bytes = (i % 2 == 0 ? 240 : 325) * kMega;
    return seen;
  });
  EXPECT_TRUE(changes.empty());
}

// Simulates a loader with pauses, a buffer, and a model that takes one batch per tick.
TEST(BufferSizer, StaysWithinItsBoundsAndConvergesInRandomRuns) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    base::Random random(seed);
    const BufferBounds bounds{.min_batches = 4, .max_batches = 256};
    const double speed = 0.5 + 3.0 * random.unit();
    const auto pause = static_cast<int>(random.below(60));
    BufferSizer sizer(needs_of(std::nullopt), bounds);
    double depth = 0.0;
    std::vector<int> changed_at;
    for (int window = 0; window < 400; ++window) {
      BufferObservation seen{.elapsed_s = 100, .min_depth = 256, .free_bytes = kPlenty};
      seen.load_over_train = speed;
      for (int tick = 0; tick < 100; ++tick) {
        if (tick >= pause) depth = std::min(depth + speed, static_cast<double>(sizer.size()));
        seen.max_depth = std::max(seen.max_depth, static_cast<std::int64_t>(depth));
        if (depth < 1.0) seen.waited_s += 1;
        depth = std::max(0.0, depth - 1.0);
        seen.min_depth = std::min(seen.min_depth, static_cast<std::int64_t>(depth));
      }
      const std::int64_t before = sizer.size();
      if (const auto change = sizer.observe(seen)) {
        EXPECT_EQ(change->from, before);
        EXPECT_EQ(change->to, sizer.size());
        EXPECT_NE(change->from, change->to);
        changed_at.push_back(window);
      }
      EXPECT_GE(sizer.size(), bounds.min_batches);
      EXPECT_LE(sizer.size(), bounds.max_batches);
    }
    EXPECT_LE(changed_at.size(), 12U) << seed;
    EXPECT_TRUE(changed_at.empty() || changed_at.back() < 200) << seed;
  }
}

}  // namespace
}  // namespace myxtts::data
