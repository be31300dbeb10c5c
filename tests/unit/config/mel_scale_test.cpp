#include "config/mel_scale.h"

#include <gtest/gtest.h>

namespace myxtts::config {
namespace {

TEST(MelScale, RoundTripsThroughHz) {
  for (const double hz : {0.0, 440.0, 999.0, 1000.0, 1001.0, 7600.0}) {
    EXPECT_NEAR(mel_to_hz(hz_to_mel(hz)), hz, 1e-9) << "at " << hz << " Hz";
  }
}

TEST(MelScale, HasFifteenMelsBelowOneKilohertzAnd27FromThereTo6400) {
  EXPECT_NEAR(hz_to_mel(1000.0), 15.0, 1e-12);
  EXPECT_NEAR(hz_to_mel(6400.0), 42.0, 1e-12);
}

TEST(MelScale, EdgesSpanTheFrequencyRange) {
  const std::vector<double> edges = mel_edges_hz(50.0, 8000.0, 80);

  ASSERT_EQ(edges.size(), 82U);
  EXPECT_NEAR(edges.front(), 50.0, 1e-9);
  EXPECT_NEAR(edges.back(), 8000.0, 1e-6);
}

TEST(FirstEmptyMelChannel, LiesBetweenTwoBins) {
  ModelConfig model;
  EXPECT_EQ(first_empty_mel_channel(model), std::nullopt);

  model.n_mels = 512;  // channel 0 ends at 16 Hz, the first bin above 0 lies at 21.5 Hz
  EXPECT_EQ(first_empty_mel_channel(model), 0);

  model.n_mels = 0;
  EXPECT_EQ(first_empty_mel_channel(model), std::nullopt);
}

}  // namespace
}  // namespace myxtts::config
