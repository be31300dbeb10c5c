#include "audio/fast_loudness.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/loudness.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

void expect_equals_reference(const std::vector<float>& samples, int rate) {
  LoudnessScratch scratch;
  const auto reference = measure_loudness(samples, rate);
  const auto fast = fast_loudness(samples, rate, scratch);

  ASSERT_EQ(fast.has_value(), reference.has_value()) << samples.size() << " samples at " << rate;
  if (reference) {
    EXPECT_NEAR(*fast, *reference, 1e-6) << samples.size() << " samples at " << rate;
  }
}

TEST(FastLoudness, EqualsTheReferenceOnSpeech) {
  for (const char* clip : {"phrase.wav", "word.wav", "blink.wav"})
    expect_equals_reference(golden_clip(clip), 22050);
}

// Lengths below one gating window, just long enough, and with many blocks per part.
TEST(FastLoudness, EqualsTheReferenceForAnyLength) {
  for (const std::size_t size : {0U, 1U, 8819U, 8820U, 8821U, 17640U, 17641U, 40001U, 300000U})
    expect_equals_reference(noise(size, 7, 0.3), 22050);
}

TEST(FastLoudness, EqualsTheReferenceAtAnySampleRate) {
  for (const int rate : {8000, 16000, 22050, 24000, 44100, 48000, 96000})
    expect_equals_reference(noise(static_cast<std::size_t>(rate) * 2, 11, 0.1), rate);
}

// Earlier samples affect a part unless its filters warmed up long enough. A large step before quiet
// audio is the worst case.
TEST(FastLoudness, WarmUpRemovesTheInfluenceOfEarlierSamples) {
  std::vector<float> samples = noise(std::size_t{22050} * 4, 13, 0.01);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] += (i / 9000) % 2 == 0 ? 0.9F : -0.9F;
  expect_equals_reference(samples, 22050);
}

// Audio that fades by 120 dB has blocks on both sides of each gate.
TEST(FastLoudness, GatesLikeTheReference) {
  std::vector<float> samples = noise(std::size_t{22050} * 24, 17, 0.5);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double fallen_db = 120.0 * static_cast<double>(i) / static_cast<double>(samples.size());
    samples[i] *= static_cast<float>(std::pow(10.0, -fallen_db / 20.0));
  }
  expect_equals_reference(samples, 22050);
  expect_equals_reference(std::vector<float>(22050, 0.0F), 22050);
  expect_equals_reference(noise(22050, 23, 1e-5), 22050);
}

// Filters must not run into denormal numbers during silence.
TEST(FastLoudness, EqualsTheReferenceAroundSilence) {
  std::vector<float> samples = noise(std::size_t{22050} * 3, 19, 0.2);
  std::fill_n(samples.begin() + 22050, 22050, 0.0F);
  expect_equals_reference(samples, 22050);
  std::ranges::reverse(samples);
  samples.resize(samples.size() + 44100, 0.0F);
  expect_equals_reference(samples, 22050);

  LoudnessScratch scratch;
  std::feclearexcept(FE_ALL_EXCEPT);
  fast_loudness(samples, 22050, scratch);
  EXPECT_EQ(std::fetestexcept(FE_UNDERFLOW), 0);
}

TEST(FastLoudness, AReusedScratchChangesNothing) {
  LoudnessScratch scratch;
  const std::vector<float> longer = noise(60000, 29, 0.2);
  const std::vector<float> shorter = noise(20000, 31, 0.4);
  const auto first = fast_loudness(shorter, 22050, scratch);
  fast_loudness(longer, 22050, scratch);

  EXPECT_EQ(fast_loudness(shorter, 22050, scratch), first);
}

}  // namespace
}  // namespace myxtts::audio
