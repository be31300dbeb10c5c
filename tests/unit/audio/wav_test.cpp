#include "audio/wav.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "audio/decode.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

TEST(Wav, BytesEqualThoseOfLibsndfile) {
  const std::vector<float> samples = {0.0F, 0.5F, -0.5F, 0.25F, -1.0F};

  EXPECT_EQ(wav_bytes(samples, 22050),
            encoded(samples, 22050, 1, SF_FORMAT_WAV | SF_FORMAT_PCM_16));
}

TEST(Wav, RoundTripsWithinHalfAQuantisationStep) {
  const std::vector<float> samples = noise(1000, 6, 0.9);

  const DecodeResult decoded = decode(wav_bytes(samples, 16000), 30.0);

  ASSERT_TRUE(decoded.ok()) << decoded.detail;
  EXPECT_EQ(decoded.clip.sample_rate, 16000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_NEAR(decoded.clip.samples[i], samples[i], 0.5001 / 32768) << i;
  }
}

// Halves round away from zero; values just below a half round down.
TEST(Wav, RoundsASampleToTheNearestStep) {
  std::vector<float> samples;
  for (const float step : {0.0F, 0.5F, 1.0F, 1.5F, 2.5F, 1000.5F, 32766.5F, 32767.0F}) {
    for (const float near : {step, std::nextafter(step, 0.0F), std::nextafter(step, 1e6F)}) {
      samples.push_back(near / 32768.0F);
      samples.push_back(-near / 32768.0F);
    }
  }

  const std::string bytes = pcm16_bytes(samples);

  ASSERT_EQ(bytes.size(), 2 * samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::int16_t found = 0;
    std::memcpy(&found, bytes.data() + 2 * i, 2);
    const long nearest = std::lround(double{samples[i]} * 32768.0);
    EXPECT_EQ(found, std::clamp(nearest, -32768L, 32767L)) << samples[i] * 32768.0F;
  }
}

TEST(Wav, ClipsSamplesBeyondFullScale) {
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();

  const std::string bytes =
      wav_bytes(std::vector<float>{3.0F, -3.0F, infinite, not_a_number}, 8000);

  EXPECT_EQ(bytes.substr(44), std::string("\xFF\x7F\x00\x80\xFF\x7F\x00\x00", 8));
}

TEST(Wav, Pcm16BytesEqualTheDataOfTheFile) {
  const std::vector<float> samples = noise(100, 7, 1.2);

  EXPECT_EQ(pcm16_bytes(samples), wav_bytes(samples, 22050).substr(44));
}

}  // namespace
}  // namespace myxtts::audio
