#include "model/waveform_losses_torch.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "audio/mel.h"
#include "audio/stft.h"
#include "model/frame_mel_spec.h"
#include "model/spectral_distance_kernel.h"
#include "unit/model/outcome_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kLossSamples = 1024;

config::ModelConfig small_mel_config() {
  config::ModelConfig config = small_config();
  config.n_fft = 128;
  config.win_length = 96;
  config.hop_length = 32;
  return config;
}

struct ReferenceSums {
  double log_magnitude = 0.0, convergence = 0.0, complex = 0.0, mel = 0.0;
};

void add_spectra(const audio::Stft& stft,
                 const std::vector<float>& found,
                 const std::vector<float>& recorded,
                 ReferenceSums& sums) {
  const std::vector<std::complex<double>> p = stft.analyse(found).values;
  const std::vector<std::complex<double>> r = stft.analyse(recorded).values;
  const auto count = static_cast<double>(p.size());
  const auto log = [](const std::complex<double>& bin) {
    return std::log(std::max(std::abs(bin), double{kMagnitudeFloor}));
  };
  double difference = 0.0;
  double length = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    sums.log_magnitude += std::abs(log(p[i]) - log(r[i])) / count / 4.0;
    sums.complex += (std::abs(p[i].real() - r[i].real()) + std::abs(p[i].imag() - r[i].imag())) /
                    (2.0 * count) / 4.0;
    difference += std::pow(std::abs(p[i]) - std::abs(r[i]), 2);
    length += std::norm(r[i]);
  }
  sums.convergence += std::sqrt(difference / length) / 4.0;
}

// Computes the losses in double precision with the STFT and mel of module audio.
ReferenceSums reference_losses(const config::ModelConfig& config,
                               const std::vector<float>& found,
                               const std::vector<float>& recorded) {
  ReferenceSums sums;
  for (const int n_fft : {config.n_fft / 4, config.n_fft / 2, config.n_fft * 2})
    add_spectra(audio::Stft(n_fft, n_fft, n_fft / 4), found, recorded, sums);
  add_spectra(
      audio::Stft(config.n_fft, config.win_length, config.hop_length), found, recorded, sums);
  const audio::ReferenceMel extractor(frame_mel_spec(config));
  const audio::Mel p = extractor.log_mel(found);
  const audio::Mel r = extractor.log_mel(recorded);
  for (std::size_t i = 0; i < p.values.size(); ++i)
    sums.mel += std::abs(p.values[i] - r.values[i]) / static_cast<double>(p.values.size());
  return sums;
}

TEST(WaveformLosses, EqualTheReferenceInDoublePrecision) {
  const config::ModelConfig config = small_mel_config();
  const std::vector<float> found = random_values(kLossSamples, 1);
  std::vector<float> recorded = random_values(kLossSamples, 2);
  for (std::size_t i = 1; i < recorded.size(); ++i)
    recorded[i] = 0.5F * recorded[i - 1] + 0.1F * recorded[i];

  const WaveformLossSums sums = WaveformLosses(config)(
      torch::tensor(found).unsqueeze(0), torch::tensor(recorded).unsqueeze(0), torch::ones({1}));

  const ReferenceSums reference = reference_losses(config, found, recorded);
  EXPECT_NEAR(sums.log_magnitude.item<double>(), reference.log_magnitude, 1e-5);
  EXPECT_NEAR(sums.convergence.item<double>(), reference.convergence, 1e-5);
  EXPECT_NEAR(sums.complex.item<double>(), reference.complex, 1e-5);
  EXPECT_NEAR(sums.mel.item<double>(), reference.mel, 1e-5);
}

double total_of(const WaveformLossSums& sums) {
  return (sums.log_magnitude + sums.convergence + sums.complex + sums.mel).item<double>();
}

TEST(WaveformLosses, SumOverRowsWithoutEmptyOnes) {
  const WaveformLosses losses(small_mel_config());
  const torch::Tensor found = random_tensor({3, kLossSamples}, 3);
  const torch::Tensor recorded = random_tensor({3, kLossSamples}, 4) * 0.3;
  const auto of_row = [&](std::int64_t row) {
    return total_of(losses(found.narrow(0, row, 1), recorded.narrow(0, row, 1), torch::ones({1})));
  };

  const double some = total_of(losses(found, recorded, torch::tensor({1.0F, 0.0F, 1.0F})));

  EXPECT_NEAR(some, of_row(0) + of_row(2), 1e-4);
}

TEST(WaveformLosses, EmptyRowsHaveNoGradient) {
  const WaveformLosses losses(small_mel_config());
  const torch::Tensor found = random_tensor({2, kLossSamples}, 3).set_requires_grad(true);
  const WaveformLossSums sums =
      losses(found, torch::zeros({2, kLossSamples}), torch::tensor({1.0F, 0.0F}));

  (sums.log_magnitude + sums.convergence + sums.complex + sums.mel).backward();

  EXPECT_TRUE(found.grad().isfinite().all().item<bool>());
  EXPECT_GT(found.grad()[0].abs().max().item<double>(), 0.0);
  EXPECT_EQ(found.grad()[1].abs().max().item<double>(), 0.0);
}

// Optimises the waveform itself.
TEST(WaveformLosses, GradientDescentApproachesTheRecording) {
  const WaveformLosses losses(small_mel_config());
  const torch::Tensor recorded = random_tensor({1, kLossSamples}, 5) * 0.2;
  torch::Tensor found = (recorded + random_tensor({1, kLossSamples}, 6) * 0.1).detach();
  const double before = (found - recorded).abs().mean().item<double>();
  for (int step = 0; step < 200; ++step) {
    found.set_requires_grad(true);
    const WaveformLossSums sums = losses(found, recorded, torch::ones({1}));
    const torch::Tensor loss =
        sums.log_magnitude + sums.convergence + sums.complex + sums.mel * 2.0;
    loss.backward();
    const torch::NoGradGuard no_grad;
    const torch::Tensor gradient = found.grad();
    const double size = 0.003 * (1.0 - step / 200.0);
    found = (found - gradient.sign() * size).detach();
  }

  EXPECT_LT((found - recorded).abs().mean().item<double>(), 0.5 * before);
}

}  // namespace
}  // namespace myxtts::model
