#include "rules/cycle.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/scale.h"

namespace myxtts::rules {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Returns `count` times around `mean_s` with a standard deviation of `relative_std` * mean_s.
std::vector<double> noise(std::size_t count,
                          double mean_s,
                          double relative_std,
                          std::uint64_t seed) {
  base::Random random(seed);
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i)
    times.push_back(mean_s * (1.0 + 2.0 * relative_std *
                                        (random.unit() + random.unit() + random.unit() - 1.5)));
  return times;
}

TEST(VariationOf, FindsThePeriodOfSpikes) {
  for (std::size_t period = 2; period <= 12; ++period) {
    std::vector<double> times = noise(50, 0.5, 0.1, period);
    for (std::size_t i = period - 1; i < times.size(); i += period)
      times[i] += 5.0;

    EXPECT_EQ(variation_of(times).period, static_cast<std::int64_t>(period));
  }
}

TEST(VariationOf, FindsThePeriodOfASineWave) {
  for (const std::size_t period : {5U, 8U, 16U}) {
    std::vector<double> times = noise(80, 0.5, 0.1, period);
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i] +=
          0.4 * (1.0 + std::sin(2.0 * kPi * static_cast<double>(i) / static_cast<double>(period)));

    EXPECT_EQ(variation_of(times).period, static_cast<std::int64_t>(period));
  }
}

TEST(VariationOf, SlowFirstStepDoesNotHideThePeriod) {
  std::vector<double> times = noise(50, 0.5, 0.1, 3);
  for (std::size_t i = 5; i < times.size(); i += 6)
    times[i] += 2.0;
  times[0] = 300.0;

  EXPECT_EQ(variation_of(times).period, 6);
}

TEST(VariationOf, NoiseHasNoPeriod) {
  for (int seed = 1; seed <= 300 * support::test_scale(); ++seed) {
    const auto count = static_cast<std::size_t>(12 + seed % 200);
    EXPECT_EQ(variation_of(noise(count, 0.5, 0.4, static_cast<std::uint64_t>(seed))).period,
              std::nullopt)
        << seed;
  }
}

TEST(VariationOf, IrregularSpikesAndTrendsHaveNoPeriod) {
  std::vector<double> spikes(40, 0.5);
  spikes[10] = 5.0;
  spikes[13] = 5.0;
  spikes[19] = 5.0;
  std::vector<double> trend;
  for (int i = 0; i < 60; ++i)
    trend.push_back(0.5 + 0.1 * i);
  std::vector<double> halves(60, 0.5);
  std::fill(halves.begin() + 30, halves.end(), 2.0);

  EXPECT_EQ(variation_of(spikes).period, std::nullopt);
  EXPECT_EQ(variation_of(trend).period, std::nullopt);
  EXPECT_EQ(variation_of(halves).period, std::nullopt);
}

TEST(VariationOf, DriftingTimesHaveNoPeriod) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    base::Random random(seed);
    std::vector<double> times = {5.0};
    while (times.size() < 100)
      times.push_back(times.back() + 0.2 * (random.unit() - 0.5));

    EXPECT_EQ(variation_of(times).period, std::nullopt) << seed;
  }
}

TEST(VariationOf, ClampsTwoOutliersOrOneInFifty) {
  std::vector<double> times(149, 0.5);
  times[10] = 9.0;
  times[90] = 9.5;
  EXPECT_EQ(variation_of(times).relative_std, 0.0);
  EXPECT_EQ(variation_of(times).longest_s, 0.5);
  EXPECT_EQ(variation_of(times).max_s, 9.5) << "the maximum includes outliers";
  times[50] = 9.0;
  EXPECT_GT(variation_of(times).relative_std, 0.3);
  times.push_back(0.5);  // the 150th
  EXPECT_EQ(variation_of(times).relative_std, 0.0);
}

TEST(VariationOf, CountsTimesFarFromTheMedian) {
  std::vector<double> times(20, 1.0);
  std::fill(times.begin(), times.begin() + 5, 1.29);
  EXPECT_EQ(variation_of(times).far_share, 0.0);
  std::fill(times.begin(), times.begin() + 5, 1.31);
  EXPECT_EQ(variation_of(times).far_share, 0.25);
}

TEST(VariationOf, FewOrEqualTimesHaveNoPeriod) {
  EXPECT_EQ(variation_of({}).period, std::nullopt);
  EXPECT_EQ(variation_of(std::vector<double>{1.0}).relative_std, 0.0);
  EXPECT_EQ(variation_of(std::vector<double>(100, 0.5)).period, std::nullopt);
  EXPECT_EQ(variation_of(std::vector<double>{1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1}).period,
            std::nullopt);
  EXPECT_EQ(variation_of(std::vector<double>{1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9}).period, 2);
}

TEST(VariationOf, ComputesMeanStdMedianAndMaximum) {
  std::vector<double> times;
  for (int i = 0; i < 60; ++i)
    times.push_back(i % 6 == 5 ? 28.0 : 0.5);

  const Variation variation = variation_of(times);

  EXPECT_NEAR(variation.mean_s, 5.083, 0.001);
  EXPECT_NEAR(variation.relative_std, 2.01, 0.02);
  EXPECT_EQ(variation.median_s, 0.5);
  EXPECT_EQ(variation.longest_s, 28.0);
  EXPECT_EQ(variation.period, 6);
}

}  // namespace
}  // namespace myxtts::rules
