#include "data/mel_torch.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "audio/mel.h"
#include "audio/mel_filterbank.h"
#include "base/error.h"
#include "base/random.h"
#include "base/threads.h"

namespace myxtts::data {
namespace {

// Returns samples like voiced speech: harmonics with varying pitch and level, and some noise.
std::vector<float> voiced_samples(std::size_t num_samples) {
  base::Random random(7);
  std::vector<float> samples(num_samples);
  double phase = 0.0;
  for (std::size_t i = 0; i < num_samples; ++i) {
    const double t = static_cast<double>(i) / 22050.0;
    phase += (130.0 + 40.0 * std::sin(5.0 * t)) / 22050.0;
    double value = 1e-3 * (random.unit() - 0.5);
    for (int h = 1; h <= 20; ++h)
      value += 0.2 / h * std::sin(6.283185307179586 * h * phase);
    samples[i] = static_cast<float>(value * (0.6 + 0.4 * std::sin(9.0 * t)));
  }
  return samples;
}

torch::Tensor as_tensor(const std::vector<float>& samples) {
  return torch::tensor(samples, torch::kFloat32);
}

struct Difference {
  double mean = 0.0, largest = 0.0;
};

Difference difference(const audio::MelSpec& spec, const std::vector<float>& samples) {
  const audio::Mel reference = audio::ReferenceMel(spec).log_mel(samples);
  const torch::Tensor fast = TorchMel(spec).log_mel(as_tensor(samples));
  EXPECT_EQ(fast.sizes(), (std::vector<std::int64_t>{reference.num_frames, reference.n_mels}));
  const torch::Tensor expected = torch::tensor(reference.values, torch::kFloat32)
                                     .view({reference.num_frames, reference.n_mels});
  const torch::Tensor distance = (fast - expected).abs().to(torch::kFloat64);
  return {distance.mean().item<double>(), distance.max().item<double>()};
}

void expect_parity(const audio::MelSpec& spec, std::size_t num_samples) {
  const Difference found = difference(spec, voiced_samples(num_samples));

  EXPECT_LT(found.mean, 1e-5) << num_samples << " samples";
  EXPECT_LT(found.largest, 5e-3) << num_samples << " samples";
}

TEST(TorchMel, AgreesWithTheReferenceMel) {
  expect_parity({}, 3 * 22050);
}

TEST(TorchMel, AgreesOnSamplesShorterThanAFrame) {
  for (const std::size_t num_samples : {1U, 2U, 3U, 255U, 256U, 511U, 512U, 513U, 514U, 1024U}) {
    expect_parity({}, num_samples);
  }
}

TEST(TorchMel, AgreesForOtherMelSpecs) {
  expect_parity({.n_fft = 2048, .win_length = 1200, .hop_length = 300, .n_mels = 100}, 20000);
  expect_parity({.sample_rate = 16000,
                 .n_fft = 512,
                 .win_length = 400,
                 .hop_length = 160,
                 .n_mels = 40,
                 .mel_fmin = 50.0,
                 .mel_fmax = 7600.0},
                20000);
}

TEST(TorchMel, SilenceIsTheFloor) {
  const torch::Tensor mel = TorchMel(audio::MelSpec{}).log_mel(torch::zeros({5000}));

  EXPECT_TRUE(torch::allclose(mel, torch::full_like(mel, std::log(1e-5))));
}

TEST(TorchMel, NoSamplesGiveOneSilentFrame) {
  const torch::Tensor mel = TorchMel(audio::MelSpec{}).log_mel(torch::zeros({0}));

  EXPECT_EQ(mel.sizes(), (std::vector<std::int64_t>{1, 80}));
}

TEST(TorchMel, SparseFiltersEqualTheDenseOnes) {
  const TorchMel mel(audio::MelSpec{});

  torch::Tensor rebuilt = torch::zeros_like(mel.filters());
  const SparseFilters& sparse = mel.sparse_filters();
  for (std::int64_t c = 0; c < rebuilt.size(1); ++c) {
    const auto first = sparse.first_bins[c].item<std::int64_t>();
    for (std::int64_t w = 0; w < sparse.weights.size(1) && first + w < rebuilt.size(0); ++w) {
      rebuilt[first + w][c] = sparse.weights[c][w];
    }
  }

  EXPECT_TRUE(torch::equal(rebuilt, mel.filters()));
}

// The kernels are not in this program's search path, with or without a GPU.
TEST(TorchMel, CudaDeviceWithoutKernelsIsAUserError) {
  EXPECT_THROW(TorchMel(audio::MelSpec{}, torch::Device("cuda:0")), UserError);
}

// at::parallel_for is silently serial in a file compiled without -fopenmp.
TEST(LibTorch, ParallelForUsesTwoThreads) {
  if (base::num_usable_cores() < 2) GTEST_SKIP() << "one core only";
  at::set_num_threads(2);

  std::atomic<int> arrived = 0;
  std::vector<std::thread::id> threads(2);
  at::parallel_for(0, 2, 1, [&](std::int64_t begin, std::int64_t end) {
    ++arrived;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (arrived < 2 && end - begin == 1 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();  // hold this thread, so that the other half needs another
    for (std::int64_t i = begin; i < end; ++i)
      threads[static_cast<std::size_t>(i)] = std::this_thread::get_id();
  });

  EXPECT_NE(threads[0], threads[1]);
}

}  // namespace
}  // namespace myxtts::data
