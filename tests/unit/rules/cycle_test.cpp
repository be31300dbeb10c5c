#include "rules/cycle.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/scale.h"

namespace xtts::rules {
namespace {

constexpr double kPi = 3.14159265358979323846;

// `count` times of about `usual_s`, with a spread of that share.
std::vector<double> noise(std::size_t count, double usual_s, double spread, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i)
    times.push_back(usual_s *
                    (1.0 + 2.0 * spread * (random.unit() + random.unit() + random.unit() - 1.5)));
  return times;
}

TEST(VariationOf, FindsTheDistanceOfEverySpike) {
  for (std::size_t period = 2; period <= 12; ++period) {
    std::vector<double> times = noise(50, 0.5, 0.1, period);
    for (std::size_t i = period - 1; i < times.size(); i += period)
      times[i] += 5.0;

    EXPECT_EQ(variation_of(times).period, static_cast<std::int64_t>(period));
  }
}

TEST(VariationOf, FindsAWave) {
  for (const std::size_t period : {5U, 8U, 16U}) {
    std::vector<double> times = noise(80, 0.5, 0.1, period);
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i] +=
          0.4 * (1.0 + std::sin(2.0 * kPi * static_cast<double>(i) / static_cast<double>(period)));

    EXPECT_EQ(variation_of(times).period, static_cast<std::int64_t>(period));
  }
}

TEST(VariationOf, TheSlowFirstStepHidesNoRhythm) {
  std::vector<double> times = noise(50, 0.5, 0.1, 3);
  for (std::size_t i = 5; i < times.size(); i += 6)
    times[i] += 2.0;
  times[0] = 300.0;

  EXPECT_EQ(variation_of(times).period, 6);
}

TEST(VariationOf, NoiseHasNone) {
  for (int seed = 1; seed <= 300 * support::test_scale(); ++seed) {
    const auto count = static_cast<std::size_t>(12 + seed % 200);
    EXPECT_EQ(variation_of(noise(count, 0.5, 0.4, static_cast<std::uint64_t>(seed))).period,
              std::nullopt)
        << seed;
  }
}

TEST(VariationOf, TwoSpikesAndATrendHaveNone) {
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

TEST(VariationOf, TimesThatDriftHaveNone) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    base::Random random(seed);
    std::vector<double> times = {5.0};
    while (times.size() < 100)
      times.push_back(times.back() + 0.2 * (random.unit() - 0.5));

    EXPECT_EQ(variation_of(times).period, std::nullopt) << seed;
  }
}

TEST(VariationOf, TwoOutliersOrOneInFiftyAreLeftOut) {
  std::vector<double> times(149, 0.5);
  times[10] = 9.0;
  times[90] = 9.5;
  EXPECT_EQ(variation_of(times).deviation, 0.0);
  EXPECT_EQ(variation_of(times).longest_s, 0.5);
  EXPECT_EQ(variation_of(times).most_s, 9.5) << "it was that long all the same";
  times[50] = 9.0;
  EXPECT_GT(variation_of(times).deviation, 0.3);
  times.push_back(0.5);  // the 150th
  EXPECT_EQ(variation_of(times).deviation, 0.0);
}

TEST(VariationOf, CountsWhatIsFarFromTheUsual) {
  std::vector<double> times(20, 1.0);
  std::fill(times.begin(), times.begin() + 5, 1.29);
  EXPECT_EQ(variation_of(times).odd_share, 0.0);
  std::fill(times.begin(), times.begin() + 5, 1.31);
  EXPECT_EQ(variation_of(times).odd_share, 0.25);
}

TEST(VariationOf, FewTimesAndEqualOnesHaveNone) {
  EXPECT_EQ(variation_of({}).period, std::nullopt);
  EXPECT_EQ(variation_of(std::vector<double>{1.0}).deviation, 0.0);
  EXPECT_EQ(variation_of(std::vector<double>(100, 0.5)).period, std::nullopt);
  EXPECT_EQ(variation_of(std::vector<double>{1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1}).period,
            std::nullopt);
  EXPECT_EQ(variation_of(std::vector<double>{1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9}).period, 2);
}

TEST(VariationOf, SaysHowMuch) {
  std::vector<double> times;
  for (int i = 0; i < 60; ++i)
    times.push_back(i % 6 == 5 ? 28.0 : 0.5);

  const Variation variation = variation_of(times);

  EXPECT_NEAR(variation.mean_s, 5.083, 0.001);
  EXPECT_NEAR(variation.deviation, 2.01, 0.02);
  EXPECT_EQ(variation.usual_s, 0.5);
  EXPECT_EQ(variation.longest_s, 28.0);
  EXPECT_EQ(variation.period, 6);
}

}  // namespace
}  // namespace xtts::rules
