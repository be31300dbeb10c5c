#include "model/inverse_stft_torch.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/stft.h"
#include "unit/model/outcome_torch.h"

namespace myxtts::model {
namespace {

struct Transform {
  int n_fft;
  int win_length;
  int hop;
};

const std::vector<Transform> kTransforms = {{.n_fft = 64, .win_length = 64, .hop = 16},
                                            {.n_fft = 64, .win_length = 40, .hop = 13},
                                            {.n_fft = 32, .win_length = 32, .hop = 32}};

TEST(InverseStft, EqualsTheReference) {
  constexpr std::int64_t kFrames = 9;
  for (const Transform& size : kTransforms) {
    const std::int64_t bins = size.n_fft / 2 + 1;
    const torch::Tensor log_magnitude = random_tensor({2, kFrames, bins}, 1);
    const torch::Tensor phase = random_tensor({2, kFrames, bins}, 2) * 4.0;

    const torch::Tensor found =
        InverseStft(size.n_fft, size.win_length, size.hop)(log_magnitude, phase);

    const audio::Stft stft(size.n_fft, size.win_length, size.hop);
    ASSERT_EQ(found.sizes(), (std::vector<std::int64_t>{2, (kFrames - 1) * size.hop}));
    for (const std::int64_t row : {0, 1}) {
      audio::Spectrogram reference{kFrames, static_cast<int>(bins), {}};
      const torch::Tensor spectrum =
          at::polar(log_magnitude[row].to(torch::kFloat64).exp(), phase[row].to(torch::kFloat64))
              .contiguous();
      const auto* values = static_cast<const std::complex<double>*>(spectrum.const_data_ptr());
      reference.values.assign(values, values + spectrum.numel());
      const std::vector<float> expected =
          stft.synthesise(std::move(reference), static_cast<std::size_t>(found.size(1)));
      EXPECT_LE(relative_difference(found[row], torch::tensor(expected)), 2e-6);
    }
  }
}

TEST(InverseStft, ReconstructsASignalFromItsSpectra) {
  constexpr int kHop = 16;
  const std::vector<float> samples = random_values(20 * kHop, 3);
  audio::Spectrogram spectrogram = audio::Stft(64, 64, kHop).analyse(samples);
  const torch::Tensor spectra = torch::from_blob(spectrogram.values.data(),
                                                 {1, spectrogram.num_frames, spectrogram.num_bins},
                                                 torch::kComplexDouble);

  const torch::Tensor found = InverseStft(64, 64, kHop)(spectra.abs().log().to(torch::kFloat32),
                                                        spectra.angle().to(torch::kFloat32));

  EXPECT_LE(relative_difference(found[0], torch::tensor(samples)), 1e-5);
}

TEST(InverseStft, GradientsMatchTheFormula) {
  const InverseStft inverse(32, 32, 8);
  const torch::Tensor window = torch::tensor(audio::hann_window(32), torch::kFloat32);
  const std::vector<torch::Tensor> inputs = {random_tensor({2, 6, 17}, 4),
                                             random_tensor({2, 6, 17}, 5) * 3.0};

  const auto reference = [&](const std::vector<torch::Tensor>& in) {
    const torch::Tensor frames = at::fft_irfft(at::polar(in[0].exp(), in[1]), 32);
    const auto sum = [&](const torch::Tensor& windowed) {
      return at::col2im(windowed.transpose(1, 2), {1, 5 * 8 + 32}, {1, 32}, {1, 1}, {0, 0}, {1, 8})
          .view({windowed.size(0), -1})
          .narrow(1, 16, 5 * 8);
    };
    return sum(frames * window) / sum(window.square().expand({1, 6, 32}));
  };

  expect_alike(outcome_of([&](const auto& in) { return inverse(in[0], in[1]); }, inputs),
               outcome_of(reference, inputs),
               2e-6);
}

}  // namespace
}  // namespace myxtts::model
