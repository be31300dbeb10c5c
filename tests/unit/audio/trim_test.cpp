#include "audio/trim.h"

#include <vector>

#include <gtest/gtest.h>

#include "unit/audio/golden_clip.h"
#include "unit/audio/sounds.h"

namespace xtts::audio {
namespace {

// The numbers that tools/golden/make_mel.py prints.
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

    const SampleRange kept = find_sound(golden_clip(c.clip), settings);

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

TEST(Trim, KeepsAllOfTheSoundAndLittleElse) {
  const SampleRange kept = find_sound(tone_between_silences(), {});

  EXPECT_LE(kept.begin, 8000U);
  EXPECT_GE(kept.begin, 8000U - 2048U);
  EXPECT_GE(kept.end, 8000U + 6615U);
  EXPECT_LE(kept.end, 8000U + 6615U + 2048U);
}

TEST(Trim, TheMarginWidensBothSidesWithinTheRecording) {
  const std::vector<float> samples = tone_between_silences();
  TrimSettings wide;
  wide.margin = 100;
  TrimSettings widest;
  widest.margin = 1000000;

  EXPECT_EQ(find_sound(samples, wide).begin, find_sound(samples, {}).begin - 100);
  EXPECT_EQ(find_sound(samples, wide).end, find_sound(samples, {}).end + 100);
  EXPECT_EQ(find_sound(samples, widest).size(), samples.size());
}

TEST(Trim, SilenceIsKeptWhole) {
  EXPECT_EQ(find_sound(std::vector<float>(5000, 0.0F), {}).size(), 5000U);
  EXPECT_EQ(find_sound({}, {}).size(), 0U);
}

}  // namespace
}  // namespace xtts::audio
