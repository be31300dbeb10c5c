#include "audio/flatness.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/resample.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

constexpr int kFlatRate = 22050;

// The power of white noise in a bin is exponentially distributed. The mean of its logarithm is
// Euler's constant (2.51 dB) below the logarithm of its mean; the lower quartile is slightly lower.
TEST(Flatness, WhiteNoiseHasTheFlatnessOfTheExponentialDistribution) {
  const Flatness flatness = spectral_flatness(noise(std::size_t{5} * kFlatRate, 3), kFlatRate);

  EXPECT_NEAR(flatness.spectral_db, -2.65, 0.15);
  EXPECT_NEAR(flatness.relative_db, -2.65, 0.15);
  EXPECT_NEAR(flatness.active_s, 5.0, 0.1);
}

// Coloured noise is not flat, but steady.
TEST(Flatness, NoiseOfAnyColourIsFlatRelativeToItsMean) {
  std::vector<float> samples = noise(std::size_t{5} * kFlatRate, 3);
  for (std::size_t i = 1; i < samples.size(); ++i)
    samples[i] += 0.98F * samples[i - 1];

  const Flatness flatness = spectral_flatness(samples, kFlatRate);

  EXPECT_LT(flatness.spectral_db, -8.0);
  EXPECT_NEAR(flatness.relative_db, -2.65, 0.2);
  EXPECT_GT(spectral_flatness(sine(150.0, kFlatRate, 2.0), kFlatRate).relative_db, -2.0);
  EXPECT_LT(spectral_flatness(golden_clip("phrase.wav"), kFlatRate).relative_db, -7.0);
}

TEST(Flatness, LevelStdMeasuresTheVariationOfTheLevel) {
  std::vector<float> steps = noise(std::size_t{2} * kFlatRate, 3, 0.1);
  for (std::size_t i = kFlatRate; i < steps.size(); ++i)
    steps[i] *= 2.0F;  // 6.02 dB, so the std is half of it

  EXPECT_NEAR(spectral_flatness(steps, kFlatRate).level_std_db, 3.01, 0.15);
  EXPECT_LT(spectral_flatness(noise(std::size_t{2} * kFlatRate, 3), kFlatRate).level_std_db, 0.4);
  EXPECT_LT(spectral_flatness(sine(150.0, kFlatRate, 2.0), kFlatRate).level_std_db, 0.1);
  EXPECT_GT(spectral_flatness(golden_clip("phrase.wav"), kFlatRate).level_std_db, 3.0);
}

TEST(Flatness, AToneIsFarBelowSpeech) {
  EXPECT_LT(spectral_flatness(sine(440.0, kFlatRate, 1.0), kFlatRate).spectral_db, -60.0);
}

TEST(Flatness, DoesNotDependOnTheLevel) {
  std::vector<float> samples = noise(kFlatRate, 5);
  const double loud = spectral_flatness(samples, kFlatRate).spectral_db;
  for (float& sample : samples)
    sample *= 1e-3F;

  EXPECT_NEAR(spectral_flatness(samples, kFlatRate).spectral_db, loud, 1e-6);
}

// The power spectrum of two impulses is 2 + 2 cos(w d), with a geometric over arithmetic mean of
// 1/2. No bin lies on a zero.
TEST(Flatness, TwoImpulsesHaveAFlatnessOfOneHalf) {
  std::vector<float> samples(1024, 0.0F);
  samples[512 - 7] = 1.0F;
  samples[512 + 8] = 1.0F;

  EXPECT_NEAR(spectral_flatness(samples, kFlatRate).spectral_db, 10.0 * std::log10(0.5), 0.35);
}

TEST(Flatness, UsesTheLowerQuartileOfTheActiveFrames) {
  // Half noise, half tone, then long quiet noise that is not active.
  std::vector<float> samples = noise(kFlatRate, 7, 0.5);
  const std::vector<float> tone = sine(440.0, kFlatRate, 1.0);
  const std::vector<float> quiet = noise(std::size_t{8} * kFlatRate, 9, 0.001);
  samples.insert(samples.end(), tone.begin(), tone.end());
  samples.insert(samples.end(), quiet.begin(), quiet.end());

  const Flatness flatness = spectral_flatness(samples, kFlatRate);

  EXPECT_NEAR(flatness.active_s, 2.0, 0.1);
  EXPECT_LT(flatness.spectral_db, -40.0);
}

TEST(Flatness, SpeechHasTheSameFlatnessAtEverySampleRate) {
  const std::vector<float> clip = golden_clip("phrase.wav");
  const double flatness = spectral_flatness(clip, kFlatRate).spectral_db;

  EXPECT_GT(flatness, -43.0);
  EXPECT_LT(flatness, -23.0);
  EXPECT_NEAR(
      spectral_flatness(resample(clip, kFlatRate, 44100), 44100).spectral_db, flatness, 1.0);
}

TEST(Flatness, SilenceAndVeryShortAudioHaveNoActiveFrames) {
  for (const std::size_t count : {0U, 1U, 1023U}) {
    EXPECT_EQ(spectral_flatness(noise(count, 1), kFlatRate).active_s, 0.0);
  }
  EXPECT_EQ(spectral_flatness(std::vector<float>(kFlatRate, 0.0F), kFlatRate).active_s, 0.0);
  EXPECT_EQ(spectral_flatness(noise(1024, 1), 100).active_s, 0.0);
  EXPECT_GT(spectral_flatness(noise(1024, 1), kFlatRate).active_s, 0.0);
  for (const int rate : {1000, 8000, 16000, 48000, 96000}) {
    EXPECT_NEAR(
        spectral_flatness(noise(static_cast<std::size_t>(rate), 1), rate).spectral_db, -2.6, 1.2)
        << rate;
  }
}

}  // namespace
}  // namespace myxtts::audio
