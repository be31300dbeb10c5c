#include "audio/trim.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "unit/audio/golden_clip.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

// The expected ranges are printed by tools/golden/make_mel.py.
TEST(Trim, EqualsLibrosaOnSpeech) {
  struct Case {
    const char* clip;
    double top_db;
    std::size_t begin, end;
  };
  for (const Case& c : {Case{"phrase.wav", 20.0, 0, 38912},
                        Case{"phrase.wav", 40.0, 0, 40960},
                        Case{"word.wav", 20.0, 2048, 15000},
                        Case{"word.wav", 40.0, 0, 15000}}) {
    TrimSettings settings;
    settings.top_db = c.top_db;

    const SampleRange kept = find_speech(golden_clip(c.clip), settings);

    EXPECT_EQ(kept.begin, c.begin) << c.clip << " at " << c.top_db;
    EXPECT_EQ(kept.end, c.end) << c.clip << " at " << c.top_db;
  }
}

std::vector<float> tone_between_silences() {
  std::vector<float> samples(22050, 0.0F);
  const std::vector<float> tone = sine(300.0, 22050, 0.3);
  std::copy(tone.begin(), tone.end(), samples.begin() + 8000);
  return samples;
}

TEST(Trim, KeepsTheToneAndLittleSilence) {
  const SampleRange kept = find_speech(tone_between_silences(), {});

  EXPECT_LE(kept.begin, 8000U);
  EXPECT_GE(kept.begin, 8000U - 2048U);
  EXPECT_GE(kept.end, 8000U + 6615U);
  EXPECT_LE(kept.end, 8000U + 6615U + 2048U);
}

TEST(Trim, TheMarginExtendsBothSidesWithinTheRecording) {
  const std::vector<float> samples = tone_between_silences();
  TrimSettings wide;
  wide.margin = 100;
  TrimSettings widest;
  widest.margin = 1000000;

  EXPECT_EQ(find_speech(samples, wide).begin, find_speech(samples, {}).begin - 100);
  EXPECT_EQ(find_speech(samples, wide).end, find_speech(samples, {}).end + 100);
  EXPECT_EQ(find_speech(samples, widest).size(), samples.size());
}

// Direct computation of the range, frame by frame.
SampleRange reference_range(const std::vector<float>& samples, const TrimSettings& settings) {
  std::vector<double> powers;
  for (std::ptrdiff_t centre = 0; centre <= std::ssize(samples); centre += settings.hop_length) {
    double sum = 0.0;
    for (std::ptrdiff_t i = 0; i < settings.frame_length; ++i) {
      const std::ptrdiff_t at = centre - settings.frame_length / 2 + i;
      if (at >= 0 && at < std::ssize(samples))
        sum +=
            double{samples[static_cast<std::size_t>(at)]} * samples[static_cast<std::size_t>(at)];
    }
    powers.push_back(sum);
  }
  const double threshold =
      *std::ranges::max_element(powers) * std::pow(10.0, -settings.top_db / 10.0);
  const auto is_active = [&](double power) { return power > threshold; };
  const auto first = std::ranges::find_if(powers, is_active) - powers.begin();
  const auto after = powers.rend() - std::find_if(powers.rbegin(), powers.rend(), is_active);
  return {static_cast<std::size_t>(first * settings.hop_length),
          std::min(samples.size(), static_cast<std::size_t>(after * settings.hop_length))};
}

TEST(Trim, BlockSumsEqualFrameSums) {
  for (const int frame : {2048, 1000, 77}) {
    for (const int hop : {512, 300, 64, 13}) {
      for (const std::size_t size : {3U, 700U, 5000U, 20011U}) {
        std::vector<float> samples = noise(size, size + static_cast<std::size_t>(hop), 0.5);
        for (std::size_t i = 0; i < size; ++i)  // fade in and out
          samples[i] *= static_cast<float>(
              std::pow(std::sin(3.14 * static_cast<double>(i) / static_cast<double>(size)), 8.0));
        const TrimSettings settings{.frame_length = frame, .hop_length = hop, .top_db = 30.0};
        const SampleRange expected = reference_range(samples, settings);
        const SampleRange kept = find_speech(samples, settings);
        EXPECT_EQ(kept.begin, expected.begin) << frame << " " << hop << " " << size;
        EXPECT_EQ(kept.end, expected.end) << frame << " " << hop << " " << size;
      }
    }
  }
}

TEST(Trim, SilenceIsKeptWhole) {
  EXPECT_EQ(find_speech(std::vector<float>(5000, 0.0F), {}).size(), 5000U);
  EXPECT_EQ(find_speech({}, {}).size(), 0U);
}

}  // namespace
}  // namespace myxtts::audio
