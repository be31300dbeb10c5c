#include "audio/silences.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::audio {
namespace {

constexpr int kRate = 8000;

void add_part(std::vector<float>& samples, double seconds, float level) {
  for (int i = 0; i < static_cast<int>(seconds * kRate); ++i)
    samples.push_back(level * std::sin(0.3F * static_cast<float>(i)));
}

TEST(Silences, SumsSilencesOfHalfASecondAndLonger) {
  std::vector<float> samples;
  add_part(samples, 0.5, 0.5F);
  add_part(samples, 0.4, 0.0F);  // too short to count as long
  add_part(samples, 0.5, 0.5F);
  add_part(samples, 0.6, 0.0F);
  add_part(samples, 0.5, 0.5F);
  add_part(samples, 0.8, 0.001F);  // 54 dB below

  const Silences silences = silences_in(samples, kRate, 40.0);

  EXPECT_NEAR(silences.longest_s, 0.8, 0.011);
  EXPECT_NEAR(silences.long_s, 1.4, 0.021);
}

TEST(Silences, ThresholdIsRelativeToTheLoudestWindow) {
  std::vector<float> samples;
  add_part(samples, 0.5, 0.5F);
  add_part(samples, 0.8, 0.05F);  // 20 dB below

  EXPECT_EQ(silences_in(samples, kRate, 40.0).long_s, 0.0);
  EXPECT_NEAR(silences_in(samples, kRate, 10.0).long_s, 0.8, 0.011);
}

TEST(Silences, NoSamplesHaveNoSilence) {
  EXPECT_EQ(silences_in({}, kRate, 40.0).longest_s, 0.0);
}

}  // namespace
}  // namespace myxtts::audio
