#include "audio/resample.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

TEST(Resample, PreservesAToneAcrossRates) {
  for (const int from : {8000, 16000, 22050, 24000, 44100, 48000}) {
    const std::vector<float> resampled = resample(sine(1000.0, from, 0.5), from, 22050);

    const std::vector<float> expected = sine(1000.0, 22050, 0.5);
    ASSERT_EQ(resampled.size(), expected.size()) << "from " << from;
    for (std::size_t i = 2000; i < 9000; ++i) {  // filters ring at the ends
      ASSERT_NEAR(resampled[i], expected[i], 1e-4) << "from " << from << " sample " << i;
    }
  }
}

TEST(Resample, RemovesFrequenciesAboveTheNewNyquistLimit) {
  const std::vector<float> resampled = resample(sine(15000.0, 48000, 0.5), 48000, 22050);

  for (std::size_t i = 2000; i < 9000; ++i)
    ASSERT_NEAR(resampled[i], 0.0, 1e-4) << i;
}

TEST(Resample, EqualRatesGiveTheSameSamples) {
  const std::vector<float> samples = noise(100, 1);

  EXPECT_EQ(resample(samples, 22050, 22050), samples);
}

TEST(Resample, IsDeterministic) {
  const std::vector<float> samples = noise(5000, 2);

  EXPECT_EQ(resample(samples, 44100, 22050), resample(samples, 44100, 22050));
}

TEST(Resample, ReusedMemoryChangesNothing) {
  std::vector<float> reused;
  for (const std::size_t count : {5000U, 300U, 0U, 9000U}) {
    for (const int from : {44100, 22050, 16000}) {
      resample(noise(count, 2), from, 22050, reused);

      EXPECT_EQ(reused, resample(noise(count, 2), from, 22050)) << count << " at " << from;
    }
  }
}

TEST(Resample, AcceptsVeryShortAudio) {
  for (const int from : {1000, 11025, 48000, 384000}) {
    for (std::size_t count = 0; count < 40; ++count) {
      const double expected = static_cast<double>(count) * 22050 / from;

      EXPECT_NEAR(static_cast<double>(resample(noise(count, 1), from, 22050).size()), expected, 1.0)
          << count << " samples at " << from;
    }
  }
}

}  // namespace
}  // namespace myxtts::audio
