#include "audio/stft.h"

#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

TEST(HannWindow, IsPeriodic) {
  const std::vector<double> window = hann_window(8);

  EXPECT_DOUBLE_EQ(window[0], 0.0);
  EXPECT_DOUBLE_EQ(window[4], 1.0);
  EXPECT_NEAR(window[1], window[7], 1e-15);
  EXPECT_GT(window[7], 0.1);  // the symmetric window ends with 0
}

TEST(Stft, HasOneFrameMoreThanTheWholeHops) {
  const Stft stft(1024, 1024, 256);

  EXPECT_EQ(stft.num_frames(0), 1);
  EXPECT_EQ(stft.num_frames(255), 1);
  EXPECT_EQ(stft.num_frames(256), 2);
  EXPECT_EQ(stft.analyse(noise(1000, 1)).num_frames, 4);
  EXPECT_EQ(stft.analyse(noise(1000, 1)).values.size(), 4U * 513U);
}

TEST(Stft, AToneHasHalfTheWindowSumInItsBin) {
  const Stft stft(1024, 1024, 256);
  const std::vector<float> tone = sine(22050.0 * 50 / 1024, 22050, 0.5, 1.0);
  std::vector<std::complex<double>> bins(513);

  stft.frame(tone, 20, bins);

  EXPECT_NEAR(std::abs(bins[50]), 256.0, 1e-3);
  EXPECT_NEAR(std::abs(bins[49]), 128.0, 1e-3);
  EXPECT_LT(std::abs(bins[60]), 1e-3);
}

TEST(Stft, AShortWindowIsCentredInTheFrame) {
  const Stft stft(64, 16, 16);
  std::vector<float> samples(256, 0.0F);
  samples[128 + 7] = 1.0F;  // the last sample of the window over 120..135
  std::vector<std::complex<double>> bins(33);

  stft.frame(samples, 8, bins);
  EXPECT_NEAR(bins[0].real(), hann_window(16)[15], 1e-12);

  samples[128 + 7] = 0.0F;
  samples[128 + 8] = 1.0F;
  stft.frame(samples, 8, bins);
  EXPECT_EQ(std::abs(bins[0]), 0.0);
}

TEST(Stft, MirrorsTheSignalAtItsEndsRepeatedly) {
  const std::vector<float> short_signal = {1.0F, 2.0F, 4.0F};
  // Frame 0 of 16 covers positions -8..7; written out with period 4: 1 2 4 2 1 2 4 2 ...
  const std::vector<float> written_out = {1, 2, 4, 2, 1, 2, 4, 2, 1, 2, 4, 2, 1, 2, 4, 2};
  const Stft stft(16, 16, 4);
  std::vector<std::complex<double>> mirrored(9);
  std::vector<std::complex<double>> expected(9);

  stft.frame(short_signal, 0, mirrored);
  stft.frame(written_out, 2, expected);  // centred on position 8, over the same 16 values

  for (std::size_t k = 0; k < 9; ++k)
    EXPECT_LT(std::abs(mirrored[k] - expected[k]), 1e-12) << k;
}

TEST(Stft, NoSamplesGiveSilenceAndOneSampleIsRepeated) {
  const Stft stft(16, 16, 4);
  std::vector<std::complex<double>> bins(9);

  stft.frame({}, 0, bins);
  for (const auto& bin : bins)
    EXPECT_EQ(std::abs(bin), 0.0);

  stft.frame(std::vector<float>{0.5F}, 0, bins);
  EXPECT_NEAR(bins[0].real(), 0.5 * 8.0, 1e-12);  // the window sums to 8
}

TEST(Stft, SynthesisInvertsAnalysis) {
  for (const int win_length : {1024, 800}) {
    const Stft stft(1024, win_length, 256);
    const std::vector<float> samples = noise(std::size_t{5} * 256, 7);

    const std::vector<float> back = stft.synthesise(stft.analyse(samples), samples.size());

    ASSERT_EQ(back.size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i)
      EXPECT_NEAR(back[i], samples[i], 1e-6) << i;
  }
}

}  // namespace
}  // namespace myxtts::audio
