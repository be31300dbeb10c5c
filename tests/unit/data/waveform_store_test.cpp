#include "data/waveform_store.h"

#include <gtest/gtest.h>

namespace myxtts::data {
namespace {

TEST(WaveformStore, SixteenBitSamplesRoundTrip) {
  for (int value = -32768; value <= 32767; value += 13) {
    const auto sample = static_cast<std::int16_t>(value);
    ASSERT_EQ(to_16_bits(from_16_bits(sample)), sample);
  }
  EXPECT_EQ(to_16_bits(1.5F), 32767);
  EXPECT_EQ(to_16_bits(-1.5F), -32768);
}

TEST(MemoryWaveforms, CopiesASliceAndPadsWithZeros) {
  const MemoryWaveforms waveforms({{100, 200, 300, 400}});
  MelScratch scratch;
  std::vector<float> inside(2, -1.0F);
  std::vector<float> across(4, -1.0F);

  EXPECT_EQ(waveforms.copy(0, 1, inside, scratch), 4);
  EXPECT_EQ(waveforms.copy(0, 2, across, scratch), 4);

  EXPECT_EQ(inside, (std::vector<float>{200 / 32768.0F, 300 / 32768.0F}));
  EXPECT_EQ(across, (std::vector<float>{300 / 32768.0F, 400 / 32768.0F, 0.0F, 0.0F}));
}

TEST(MemoryWaveforms, ReadsMissingWaveformsFromTheFallback) {
  const auto fallback = std::make_shared<MemoryWaveforms>(
      std::vector<std::vector<std::int16_t>>{{1}, {16384, -16384}});
  const MemoryWaveforms waveforms({{1}, {}}, fallback);
  MelScratch scratch;
  std::vector<float> samples(2);

  EXPECT_EQ(waveforms.copy(1, 0, samples, scratch), 2);
  EXPECT_EQ(samples, (std::vector<float>{0.5F, -0.5F}));
}

}  // namespace
}  // namespace myxtts::data
