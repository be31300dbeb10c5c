#include "audio/fast_loudness.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/loudness.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/sounds.h"

namespace xtts::audio {
namespace {

void expect_as_plain(const std::vector<float>& samples, int rate) {
  LoudnessScratch scratch;
  const auto plain = measure_loudness(samples, rate);
  const auto fast = fast_loudness(samples, rate, scratch);

  ASSERT_EQ(fast.has_value(), plain.has_value()) << samples.size() << " samples at " << rate;
  if (plain) {
    EXPECT_NEAR(*fast, *plain, 1e-6) << samples.size() << " samples at " << rate;
  }
}

TEST(FastLoudness, IsThePlainOneOfSpeech) {
  for (const char* clip : {"phrase.wav", "word.wav", "blink.wav"})
    expect_as_plain(golden_clip(clip), 22050);
}

// Shorter than a part's share, just long enough, and so long that every part has many blocks.
TEST(FastLoudness, IsThePlainOneForAnyLength) {
  for (const std::size_t size : {0U, 1U, 8819U, 8820U, 8821U, 17640U, 17641U, 40001U, 300000U})
    expect_as_plain(noise(size, 7, 0.3), 22050);
}

TEST(FastLoudness, IsThePlainOneAtAnyRate) {
  for (const int rate : {8000, 16000, 22050, 24000, 44100, 48000, 96000})
    expect_as_plain(noise(static_cast<std::size_t>(rate) * 2, 11, 0.1), rate);
}

// What was before a part is heard in it unless the filters had time to forget: a step far above the
// sound that follows is the worst that can be before it.
TEST(FastLoudness, PartsForgetWhatWasBeforeThem) {
  std::vector<float> samples = noise(std::size_t{22050} * 4, 13, 0.01);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] += (i / 9000) % 2 == 0 ? 0.9F : -0.9F;
  expect_as_plain(samples, 22050);
}

// A sound that fades by 120 dB has blocks on either side of each gate, and a little beyond.
TEST(FastLoudness, GatesAsThePlainOneDoes) {
  std::vector<float> samples = noise(std::size_t{22050} * 24, 17, 0.5);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double fallen_db = 120.0 * static_cast<double>(i) / static_cast<double>(samples.size());
    samples[i] *= static_cast<float>(std::pow(10.0, -fallen_db / 20.0));
  }
  expect_as_plain(samples, 22050);
  expect_as_plain(std::vector<float>(22050, 0.0F), 22050);
  expect_as_plain(noise(22050, 23, 1e-5), 22050);
}

// Filters that hear nothing at all are kept from numbers near the smallest there are.
TEST(FastLoudness, IsThePlainOneAroundSilence) {
  std::vector<float> samples = noise(std::size_t{22050} * 3, 19, 0.2);
  std::fill_n(samples.begin() + 22050, 22050, 0.0F);
  expect_as_plain(samples, 22050);
  std::ranges::reverse(samples);
  samples.resize(samples.size() + 44100, 0.0F);
  expect_as_plain(samples, 22050);

  LoudnessScratch scratch;
  std::feclearexcept(FE_ALL_EXCEPT);
  fast_loudness(samples, 22050, scratch);
  EXPECT_EQ(std::fetestexcept(FE_UNDERFLOW), 0);
}

TEST(FastLoudness, UsesItsScratchAgain) {
  LoudnessScratch scratch;
  const std::vector<float> longer = noise(60000, 29, 0.2);
  const std::vector<float> shorter = noise(20000, 31, 0.4);
  const auto first = fast_loudness(shorter, 22050, scratch);
  fast_loudness(longer, 22050, scratch);

  EXPECT_EQ(fast_loudness(shorter, 22050, scratch), first);
}

}  // namespace
}  // namespace xtts::audio
