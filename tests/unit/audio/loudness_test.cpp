#include "audio/loudness.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

// The reference point of ITU-R BS.1770: a full-scale tone of 997 Hz in one channel is -3.01 LUFS.
TEST(Loudness, TheReferenceToneMeasuresMinusThreeLufs) {
  const auto lufs = measure_loudness(sine(997.0, 48000, 2.0, 1.0), 48000);

  ASSERT_TRUE(lufs.has_value());
  EXPECT_NEAR(*lufs, -3.01, 0.05);
}

TEST(Loudness, FollowsTheAmplitude) {
  const auto loud = measure_loudness(sine(997.0, 22050, 1.0, 0.5), 22050);
  const auto quiet = measure_loudness(sine(997.0, 22050, 1.0, 0.05), 22050);

  ASSERT_TRUE(loud && quiet);
  EXPECT_NEAR(*loud - *quiet, 20.0, 0.01);
}

TEST(Loudness, SilenceAndVeryShortAudioHaveNone) {
  EXPECT_FALSE(measure_loudness(std::vector<float>(22050, 0.0F), 22050));
  EXPECT_FALSE(measure_loudness(sine(997.0, 22050, 0.1), 22050));
  EXPECT_FALSE(measure_loudness({}, 22050));
}

TEST(Peak, IsTheLargestMagnitude) {
  EXPECT_EQ(peak_of(std::vector<float>{0.25F, -0.75F, 0.5F}), 0.75F);
  EXPECT_EQ(peak_of({}), 0.0F);
  EXPECT_NEAR(to_dbfs(0.5), -6.0206, 1e-4);
  EXPECT_TRUE(std::isinf(to_dbfs(0.0)));
}

}  // namespace
}  // namespace myxtts::audio
