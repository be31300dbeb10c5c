#include "audio/mel_filterbank.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/mel_scale.h"

namespace myxtts::audio {
namespace {

std::vector<double> mel_of(const MelSpec& spec, const std::vector<double>& magnitude) {
  const MelFilterbank filters(spec);
  std::vector<double> mel(static_cast<std::size_t>(filters.num_mels()));
  filters.apply(magnitude, mel);
  return mel;
}

std::vector<double> spectrum_with_line_at(const MelSpec& spec, double hz) {
  std::vector<double> magnitude(static_cast<std::size_t>(spec.n_fft / 2 + 1), 0.0);
  magnitude.at(static_cast<std::size_t>(std::lround(hz * spec.n_fft / spec.sample_rate))) = 1.0;
  return magnitude;
}

TEST(MelFilterbank, AToneActivatesOneOrTwoChannels) {
  const std::vector<double> mel = mel_of({}, spectrum_with_line_at({}, 1000.0));

  const auto active = std::ranges::count_if(mel, [](double v) { return v > 0.0; });
  EXPECT_GE(active, 1);
  EXPECT_LE(active, 2);
}

TEST(MelFilterbank, FiltersHaveEqualArea) {
  MelSpec spec;
  spec.n_fft = 16384;  // fine bins, so that the sum is close to the integral
  const double hz_per_bin = static_cast<double>(spec.sample_rate) / spec.n_fft;

  const std::vector<double> mel =
      mel_of(spec, std::vector<double>(static_cast<std::size_t>(spec.n_fft / 2 + 1), 1.0));

  for (std::size_t m = 0; m < mel.size(); ++m)
    EXPECT_NEAR(mel[m] * hz_per_bin, 1.0, 0.01) << m;
}

TEST(MelFilterbank, TransposeIsTheAdjoint) {
  const MelFilterbank filters{MelSpec{}};
  std::vector<double> spectrum(static_cast<std::size_t>(filters.num_bins()));
  std::vector<double> channels(static_cast<std::size_t>(filters.num_mels()));
  for (std::size_t i = 0; i < spectrum.size(); ++i)
    spectrum[i] = std::sin(0.1 * static_cast<double>(i));
  for (std::size_t i = 0; i < channels.size(); ++i)
    channels[i] = std::cos(0.7 * static_cast<double>(i));
  std::vector<double> mel(channels.size());
  std::vector<double> back(spectrum.size());

  filters.apply(spectrum, mel);
  filters.apply_transposed(channels, back);

  // <W s, c> = <s, W' c>
  EXPECT_NEAR(std::inner_product(mel.begin(), mel.end(), channels.begin(), 0.0),
              std::inner_product(back.begin(), back.end(), spectrum.begin(), 0.0),
              1e-12);
}

TEST(MelFilterbank, RejectsMoreChannelsThanTheFftCanResolve) {
  MelSpec spec;
  spec.n_fft = 256;
  spec.n_mels = 128;

  EXPECT_THROW(MelFilterbank{spec}, UsageError);
}

// Configuration validation rejects exactly the specs that no filterbank can be built from.
TEST(MelFilterbank, RejectsTheSameSpecsAsTheConfiguration) {
  int num_rejected = 0;
  for (const int n_fft : {64, 256, 1024, 4096}) {
    for (const int n_mels : {1, 13, 40, 80, 128, 300, 512}) {
      config::ModelConfig model;
      model.n_fft = n_fft;
      model.n_mels = n_mels;
      MelSpec spec;
      spec.n_fft = n_fft;
      spec.n_mels = n_mels;
      const bool is_invalid = config::first_empty_mel_channel(model).has_value();
      num_rejected += is_invalid ? 1 : 0;

      if (is_invalid) {
        EXPECT_THROW(MelFilterbank{spec}, UsageError) << n_fft << " " << n_mels;
      } else {
        EXPECT_NO_THROW(MelFilterbank{spec}) << n_fft << " " << n_mels;
      }
    }
  }
  EXPECT_GT(num_rejected, 5);
  EXPECT_LT(num_rejected, 23);
}

}  // namespace
}  // namespace myxtts::audio
