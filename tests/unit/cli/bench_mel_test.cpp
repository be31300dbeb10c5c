#include "cli/bench_mel.h"

#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

namespace xtts::cli {
namespace {

TEST(BenchSound, IsAsLongAsAskedTheSameEachTimeAndNeverClipped) {
  const std::vector<float> sound = bench_sound(0.5, 22050);

  EXPECT_EQ(sound.size(), 11025U);
  EXPECT_EQ(sound, bench_sound(0.5, 22050));
  for (const float sample : sound)
    ASSERT_LT(std::abs(sample), 1.0F);
}

TEST(FastestRuns, TellsTheSlowWorkFromTheFastOne) {
  int num_fast = 0;
  const std::vector<double> runs_s = fastest_runs_s({
      [&] { ++num_fast; },
      [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); },
  });

  ASSERT_EQ(runs_s.size(), 2U);
  EXPECT_GE(num_fast, 4);
  EXPECT_LT(runs_s[0], 0.02);
  EXPECT_GE(runs_s[1], 0.02);
}

TEST(BenchPlainMel, GivesARealTimeFactor) {
  const std::vector<BenchResult> results = bench_plain_mel({.seconds = 0.2});

  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].name, "mel_plain");
  EXPECT_GT(results[0].value, 1.0);
}

}  // namespace
}  // namespace xtts::cli
