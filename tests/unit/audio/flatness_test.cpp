#include "audio/flatness.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/resample.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/sounds.h"

namespace xtts::audio {
namespace {

constexpr int kFlatRate = 22050;

// The power of noise in one bin is exponentially distributed: the mean of its logarithm is Euler's
// constant below the logarithm of its mean, 2.51 dB; the lower quartile over frames a little less.
TEST(Flatness, OfWhiteNoiseIsThatOfTheExponentialDistribution) {
  const Flatness flatness = spectral_flatness(noise(std::size_t{5} * kFlatRate, 3), kFlatRate);

  EXPECT_NEAR(flatness.spectral_db, -2.65, 0.15);
  EXPECT_NEAR(flatness.relative_db, -2.65, 0.15);
  EXPECT_NEAR(flatness.active_s, 5.0, 0.1);
}

// Coloured noise is not flat, but steady.
TEST(Flatness, RelativeToItsMeanNoiseOfAnyColourIsFlat) {
  std::vector<float> sound = noise(std::size_t{5} * kFlatRate, 3);
  for (std::size_t i = 1; i < sound.size(); ++i)
    sound[i] += 0.98F * sound[i - 1];

  const Flatness flatness = spectral_flatness(sound, kFlatRate);

  EXPECT_LT(flatness.spectral_db, -8.0);
  EXPECT_NEAR(flatness.relative_db, -2.65, 0.2);
  EXPECT_GT(spectral_flatness(sine(150.0, kFlatRate, 2.0), kFlatRate).relative_db, -2.0);
  EXPECT_LT(spectral_flatness(golden_clip("phrase.wav"), kFlatRate).relative_db, -7.0);
}

TEST(Flatness, ComesWithHowFarTheLevelMoves) {
  std::vector<float> steps = noise(std::size_t{2} * kFlatRate, 3, 0.1);
  for (std::size_t i = kFlatRate; i < steps.size(); ++i)
    steps[i] *= 2.0F;  // 6.02 dB: one deviation lies in the middle

  EXPECT_NEAR(spectral_flatness(steps, kFlatRate).level_spread_db, 3.01, 0.15);
  EXPECT_LT(spectral_flatness(noise(std::size_t{2} * kFlatRate, 3), kFlatRate).level_spread_db,
            0.4);
  EXPECT_LT(spectral_flatness(sine(150.0, kFlatRate, 2.0), kFlatRate).level_spread_db, 0.1);
  EXPECT_GT(spectral_flatness(golden_clip("phrase.wav"), kFlatRate).level_spread_db, 3.0);
}

TEST(Flatness, OfAToneIsFarBelowAnySpeech) {
  EXPECT_LT(spectral_flatness(sine(440.0, kFlatRate, 1.0), kFlatRate).spectral_db, -60.0);
}

TEST(Flatness, DoesNotDependOnTheLevel) {
  std::vector<float> sound = noise(kFlatRate, 5);
  const double loud = spectral_flatness(sound, kFlatRate).spectral_db;
  for (float& sample : sound)
    sample *= 1e-3F;

  EXPECT_NEAR(spectral_flatness(sound, kFlatRate).spectral_db, loud, 1e-6);
}

// Two impulses: their spectrum is 2 + 2 cos(w d), whose geometric over arithmetic mean is 1/2. No
// bin is where that is 0.
TEST(Flatness, OfAnEchoIsOneHalf) {
  std::vector<float> sound(1024, 0.0F);
  sound[512 - 7] = 1.0F;
  sound[512 + 8] = 1.0F;

  EXPECT_NEAR(spectral_flatness(sound, kFlatRate).spectral_db, 10.0 * std::log10(0.5), 0.35);
}

TEST(Flatness, LooksAtWhatIsLoudAndAtTheMostTonalQuarterOfIt) {
  // Half hiss, half tone, and a long quiet hiss that does not count.
  std::vector<float> sound = noise(kFlatRate, 7, 0.5);
  const std::vector<float> tone = sine(440.0, kFlatRate, 1.0);
  const std::vector<float> quiet = noise(std::size_t{8} * kFlatRate, 9, 0.001);
  sound.insert(sound.end(), tone.begin(), tone.end());
  sound.insert(sound.end(), quiet.begin(), quiet.end());

  const Flatness flatness = spectral_flatness(sound, kFlatRate);

  EXPECT_NEAR(flatness.active_s, 2.0, 0.1);
  EXPECT_LT(flatness.spectral_db, -40.0);
}

TEST(Flatness, OfSpeechIsTheSameAtEveryRate) {
  const std::vector<float> clip = golden_clip("phrase.wav");
  const double flatness = spectral_flatness(clip, kFlatRate).spectral_db;

  EXPECT_GT(flatness, -43.0);
  EXPECT_LT(flatness, -23.0);
  EXPECT_NEAR(
      spectral_flatness(resample(clip, kFlatRate, 44100), 44100).spectral_db, flatness, 1.0);
}

TEST(Flatness, OfSilenceOrAnInstantIsNotThere) {
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
}  // namespace xtts::audio
