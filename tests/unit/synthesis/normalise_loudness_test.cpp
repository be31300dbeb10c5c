#include "synthesis/normalise_loudness.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "audio/loudness.h"

namespace myxtts::synthesis {
namespace {

constexpr int kLevelRate = 22050;

std::vector<float> buzz(double seconds, float amplitude) {
  std::vector<float> samples(static_cast<std::size_t>(seconds * kLevelRate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double phase = 2.0 * std::numbers::pi * static_cast<double>(i) / kLevelRate;
    samples[i] = amplitude * static_cast<float>(std::sin(150.0 * phase) + std::sin(900.0 * phase));
  }
  return samples;
}

TEST(NormaliseLoudness, BringsQuietAndLoudAudioToTheTarget) {
  for (const float amplitude : {0.001F, 0.02F, 0.4F, 3.0F}) {
    for (const double target : {-40.0, -23.0, -16.0}) {
      std::vector<float> samples = buzz(2.0, amplitude);

      normalise_loudness(samples, kLevelRate, target);

      EXPECT_NEAR(audio::measure_loudness(samples, kLevelRate).value_or(0.0), target, 0.01);
    }
  }
}

TEST(NormaliseLoudness, AppliesOneGainToAllSamples) {
  const std::vector<float> before = buzz(1.0, 0.2F);
  std::vector<float> after = before;

  const double gain = normalise_loudness(after, kLevelRate, -30.0);

  EXPECT_LT(gain, 1.0);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(after[i], before[i] * gain, 1e-7);
}

// A single peak limits the gain, and nothing is clipped.
TEST(NormaliseLoudness, ReducesTheGainInsteadOfClipping) {
  for (const std::optional<double> target : {std::optional(-23.0), std::optional<double>()}) {
    std::vector<float> samples = buzz(2.0, 0.001F);
    samples[kLevelRate] = -2.0F;

    normalise_loudness(samples, kLevelRate, target);

    EXPECT_NEAR(audio::peak_of(samples), kMaxPeak, 1e-6);
    EXPECT_FLOAT_EQ(std::ranges::min(samples), -kMaxPeak);
    EXPECT_LT(audio::measure_loudness(samples, kLevelRate).value_or(-70.0), -30.0);
  }
  EXPECT_NEAR(audio::to_dbfs(kMaxPeak), -1.0, 1e-6);
}

TEST(NormaliseLoudness, WithoutATargetDoesNotChangeAudioBelowThePeakLimit) {
  std::vector<float> samples = buzz(1.0, 0.3F);
  const std::vector<float> before = samples;

  EXPECT_EQ(normalise_loudness(samples, kLevelRate, std::nullopt), 1.0);
  EXPECT_EQ(samples, before);
}

// The standard does not measure less than 0.4 s.
TEST(NormaliseLoudness, ShortAudioIsAsLoudAsLongAudioOfTheSameKind) {
  for (const double seconds : {0.02, 0.1, 0.3, 0.399, 0.4, 0.401, 0.45}) {
    std::vector<float> samples = buzz(seconds, 0.7F);
    normalise_loudness(samples, kLevelRate, -23.0);

    std::vector<float> longer = buzz(3.0, 0.05F);
    normalise_loudness(longer, kLevelRate, -23.0);
    EXPECT_NEAR(
        audio::to_dbfs(audio::peak_of(samples)), audio::to_dbfs(audio::peak_of(longer)), 1.5)
        << seconds;
  }
}

TEST(NormaliseLoudness, SilenceStaysSilent) {
  std::vector<float> none;
  EXPECT_EQ(normalise_loudness(none, kLevelRate, -23.0), 1.0);

  for (const std::size_t count : {1U, 100U, 44100U}) {
    std::vector<float> silence(count, 0.0F);
    EXPECT_EQ(normalise_loudness(silence, kLevelRate, -23.0), 1.0);
    std::vector<float> almost(count, 1e-7F);
    EXPECT_EQ(normalise_loudness(almost, kLevelRate, -23.0), 1.0);
  }
}

}  // namespace
}  // namespace myxtts::synthesis
