#include "model/frames_torch.h"

#include <vector>

#include <gtest/gtest.h>

#include "audio/stft.h"
#include "unit/model/outcome_torch.h"

namespace myxtts::model {
namespace {

struct Framing {
  std::int64_t samples;
  int window;
  int hop;
};

// Hops that divide the window or not, signals longer and much shorter than the window.
const std::vector<Framing> kFramings = {
    {.samples = 256, .window = 64, .hop = 16},
    {.samples = 203, .window = 32, .hop = 11},
    {.samples = 50, .window = 64, .hop = 20},
    {.samples = 5, .window = 64, .hop = 3},
    {.samples = 1, .window = 16, .hop = 4},
};

torch::Tensor hann(int length) {
  return torch::tensor(audio::hann_window(length), torch::kFloat32);
}

TEST(FrameSignal, MatchesTheReference) {
  for (const Framing& framing : kFramings) {
    const torch::Tensor window = hann(framing.window);
    const std::vector<torch::Tensor> samples = {random_tensor({3, framing.samples}, 1)};

    expect_alike(
        outcome_of([&](const auto& in) { return frame_signal(in[0], window, framing.hop); },
                   samples),
        outcome_of(
            [&](const auto& in) { return reference_frame_signal(in[0], window, framing.hop); },
            samples),
        1e-6);
  }
}

TEST(FrameSignal, SpectraEqualThoseOfTheStft) {
  for (const Framing& framing : kFramings) {
    const std::vector<float> samples = random_values(framing.samples, 2);
    const torch::Tensor spectra = real_fft(
        frame_signal(torch::tensor(samples).unsqueeze(0), hann(framing.window), framing.hop))[0];

    audio::Spectrogram expected =
        audio::Stft(framing.window, framing.window, framing.hop).analyse(samples);
    ASSERT_EQ(spectra.size(0), expected.num_frames);
    const torch::Tensor reference = torch::from_blob(
        expected.values.data(), {expected.num_frames, expected.num_bins}, torch::kComplexDouble);
    EXPECT_LE((spectra - reference).abs().max().item<double>(), 1e-5);
  }
}

TEST(OverlapAdd, MatchesTheReference) {
  for (const Framing& framing : kFramings) {
    const torch::Tensor window = hann(framing.window);
    const std::vector<torch::Tensor> frames = {random_tensor({3, 7, framing.window}, 3)};

    expect_alike(
        outcome_of([&](const auto& in) { return overlap_add(in[0], window, framing.hop); }, frames),
        outcome_of(
            [&](const auto& in) { return reference_overlap_add(in[0], window, framing.hop); },
            frames),
        1e-6);
  }
}

TEST(FrameSignal, IsBitIdenticalForAnyNumberOfThreads) {
  const torch::Tensor window = hann(64);
  const std::vector<torch::Tensor> samples = {random_tensor({5, 300}, 4)};
  const Operator work = [&](const auto& in) {
    return overlap_add(frame_signal(in[0], window, 16), window, 16);
  };
  const Outcome one = outcome_of(work, samples);

  const ThreadsGuard threads(2);
  const Outcome two = outcome_of(work, samples);

  EXPECT_TRUE(same_bits(two.y, one.y));
  EXPECT_TRUE(same_bits(two.gradients[0], one.gradients[0]));
}

TEST(RealFft, GradientsEqualThoseOfLibTorch) {
  const std::vector<torch::Tensor> signals = {random_tensor({2, 5, 32}, 5)};
  const torch::Tensor weights = random_tensor({2, 5, 17, 2}, 6);
  const auto parts = [&](const torch::Tensor& spectra) {
    return at::view_as_real(spectra) * weights;
  };

  expect_alike(outcome_of([&](const auto& in) { return parts(real_fft(in[0])); }, signals),
               outcome_of([&](const auto& in) { return parts(torch::fft_rfft(in[0])); }, signals),
               1e-6);
}

}  // namespace
}  // namespace myxtts::model
