#include "model/frames_torch.h"

#include <vector>

#include <gtest/gtest.h>

#include "audio/stft.h"
#include "unit/model/outcome_torch.h"

namespace xtts::model {
namespace {

struct Cut {
  std::int64_t samples;
  int window;
  int hop;
};

// Hops that divide the window and that do not, signals longer and much shorter than it.
const std::vector<Cut> kCuts = {
    {.samples = 256, .window = 64, .hop = 16},
    {.samples = 203, .window = 32, .hop = 11},
    {.samples = 50, .window = 64, .hop = 20},
    {.samples = 5, .window = 64, .hop = 3},
    {.samples = 1, .window = 16, .hop = 4},
};

torch::Tensor hann(int length) {
  return torch::tensor(audio::hann_window(length), torch::kFloat32);
}

TEST(CutFrames, ValuesAndGradientsAreThoseOfTheTwin) {
  for (const Cut& cut : kCuts) {
    const torch::Tensor window = hann(cut.window);
    const std::vector<torch::Tensor> samples = {random_tensor({3, cut.samples}, 1)};

    expect_alike(
        outcome_of([&](const auto& in) { return cut_frames(in[0], window, cut.hop); }, samples),
        outcome_of([&](const auto& in) { return reference_cut_frames(in[0], window, cut.hop); },
                   samples),
        1e-6);
  }
}

TEST(CutFrames, TheirSpectraAreThoseOfTheStft) {
  for (const Cut& cut : kCuts) {
    const std::vector<float> samples = random_values(cut.samples, 2);
    const torch::Tensor spectra =
        real_spectra(cut_frames(torch::tensor(samples).unsqueeze(0), hann(cut.window), cut.hop))[0];

    audio::Spectrogram expected = audio::Stft(cut.window, cut.window, cut.hop).analyse(samples);
    ASSERT_EQ(spectra.size(0), expected.num_frames);
    const torch::Tensor wanted = torch::from_blob(
        expected.values.data(), {expected.num_frames, expected.num_bins}, torch::kComplexDouble);
    EXPECT_LE((spectra - wanted).abs().max().item<double>(), 1e-5);
  }
}

TEST(AddFrames, ValuesAndGradientsAreThoseOfTheTwin) {
  for (const Cut& cut : kCuts) {
    const torch::Tensor window = hann(cut.window);
    const std::vector<torch::Tensor> frames = {random_tensor({3, 7, cut.window}, 3)};

    expect_alike(
        outcome_of([&](const auto& in) { return add_frames(in[0], window, cut.hop); }, frames),
        outcome_of([&](const auto& in) { return reference_add_frames(in[0], window, cut.hop); },
                   frames),
        1e-6);
  }
}

TEST(CutFrames, TheNumberOfThreadsChangesNoBit) {
  const torch::Tensor window = hann(64);
  const std::vector<torch::Tensor> samples = {random_tensor({5, 300}, 4)};
  const Operator work = [&](const auto& in) {
    return add_frames(cut_frames(in[0], window, 16), window, 16);
  };
  const Outcome one = outcome_of(work, samples);

  const ThreadsGuard threads(2);
  const Outcome two = outcome_of(work, samples);

  EXPECT_TRUE(same_bits(two.y, one.y));
  EXPECT_TRUE(same_bits(two.gradients[0], one.gradients[0]));
}

TEST(RealSpectra, GradientsAreThoseOfLibTorch) {
  const std::vector<torch::Tensor> signals = {random_tensor({2, 5, 32}, 5)};
  const torch::Tensor weights = random_tensor({2, 5, 17, 2}, 6);
  const auto parts = [&](const torch::Tensor& spectra) {
    return at::view_as_real(spectra) * weights;
  };

  expect_alike(outcome_of([&](const auto& in) { return parts(real_spectra(in[0])); }, signals),
               outcome_of([&](const auto& in) { return parts(torch::fft_rfft(in[0])); }, signals),
               1e-6);
}

}  // namespace
}  // namespace xtts::model
