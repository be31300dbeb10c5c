#include "audio/fast_mel_plan.h"

#include <vector>

#include <gtest/gtest.h>

#include "audio/mel_filterbank.h"
#include "base/random.h"

namespace myxtts::audio {
namespace {

TEST(FastMelPlan, WeightsEqualThoseOfTheFilterbank) {
  MelSpec spec;
  spec.n_mels = 37;
  spec.mel_fmin = 200.0;
  const FastMelPlan plan(spec);
  const MelFilterbank filterbank(spec);
  base::Random random(3);
  std::vector<double> magnitude(static_cast<std::size_t>(filterbank.num_bins()));
  for (double& value : magnitude)
    value = random.unit();
  std::vector<double> expected(37);
  filterbank.apply(magnitude, expected);

  std::vector<double> mel(37, 0.0);
  std::size_t bin = 0;
  for (std::size_t m = 0; m < mel.size(); ++m) {
    for (int i = 0; i < plan.bins_of_filter[m]; ++i, ++bin) {
      mel[m] += magnitude[plan.first_bin + bin] * static_cast<double>(plan.weights[bin].here);
      if (m > 0)
        mel[m - 1] +=
            magnitude[plan.first_bin + bin] * static_cast<double>(plan.weights[bin].below);
    }
  }

  EXPECT_EQ(plan.first_bin + bin, plan.end_bin);
  for (std::size_t m = 0; m < mel.size(); ++m)
    EXPECT_NEAR(mel[m], expected[m], 1e-6 * expected[m]);
}

// Every bin that a filter uses is computed exactly once, and no other bin.
TEST(FastMelPlan, ComputesEachUsedBinOnce) {
  const FastMelPlan plan{MelSpec{}};
  std::vector<int> times(513, 0);
  for (const std::size_t bin : {0U, 128U, 256U, 384U, 512U})  // bins of the smallest transform
    ++times[bin];

  for (const TransformLevel& level : plan.levels) {
    for (const LastButterfly& last : level.last) {
      for (const std::int32_t bin : last.bins)
        if (bin >= 0) ++times[static_cast<std::size_t>(bin)];
    }
  }

  for (std::size_t bin = plan.first_bin; bin < plan.end_bin; ++bin)
    EXPECT_EQ(times[bin], 1) << bin;
  for (std::size_t bin = plan.end_bin; bin < times.size(); ++bin)
    EXPECT_EQ(times[bin], bin % 128 == 0 ? 1 : 0) << bin;
}

TEST(FastMelPlan, RowsHoldOneHopAndAreSharedByFrames) {
  MelSpec spec;
  spec.hop_length = 300;
  const FastMelPlan plan(spec);

  EXPECT_EQ(plan.num_columns, 300U);
  EXPECT_EQ(plan.rows_per_frame, 4U);
  EXPECT_EQ(plan.num_rows(8), 16U);
  EXPECT_EQ(plan.offsets(8)[301], 16 + 1);
}

}  // namespace
}  // namespace myxtts::audio
