// Multi-period and multi-resolution discriminators of the vocoder's adversarial training stage, and
// their losses (after HiFi-GAN, arXiv:2010.05646, and UnivNet, arXiv:2106.07889). B rows, S
// samples, M frames, F bins.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "model/parameters_torch.h"

namespace myxtts::model {

// Channels of the first layers. Later layers have up to eight times (period) or four times
// (resolution) as many. The published models have 32 and 32 and need a GPU.
struct DiscriminatorSizes {
  std::int64_t period_channels = 8;
  std::int64_t resolution_channels = 8;
};

// Output of one discriminator.
struct DiscriminatorOutput {
  torch::Tensor scores;                 // [B, ...] high for recordings
  std::vector<torch::Tensor> features;  // [B, ...] outputs of the hidden layers
};

// Five discriminators of waveforms folded by a period (2, 3, 5, 7 and 11 samples) and three of log
// magnitude spectra with windows of 512, 1024 and 2048 samples. Computes on the device of its
// parameters.
class WaveformDiscriminators {
 public:
  // Prefix of the names of all discriminator parameters.
  static constexpr const char* kPrefix = "discriminator.";

  // Adds its parameters to the set.
  WaveformDiscriminators(ParameterSet& parameters, const DiscriminatorSizes& sizes);
  ~WaveformDiscriminators();

  // Returns the output of each discriminator. waveform [B, S] float32, S >= 2048; the layers
  // compute in `type`, float32 or bfloat16. If `frozen`, only the waveform gets a gradient, not the
  // weights.
  std::vector<DiscriminatorOutput> operator()(const torch::Tensor& waveform,
                                              torch::ScalarType type,
                                              bool frozen = false) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Unfolds the third dimension of x [B, P, L, C], zero-padded, into the windows of a convolution
// with an odd kernel: [B, P, (L - 1) / stride + 1, kernel * C], kernel position first.
torch::Tensor windows_of(const torch::Tensor& x, std::int64_t kernel, std::int64_t stride);

// Losses are sums over rows of the mean over all discriminators: [] float32. weights [B] are 1, and
// 0 for an empty row.

// Hinge loss of the discriminators: scores above 1 for recorded, below -1 for generated waveforms.
torch::Tensor discriminator_loss(const std::vector<DiscriminatorOutput>& recorded,
                                 const std::vector<DiscriminatorOutput>& generated,
                                 const torch::Tensor& weights);

// Adversarial hinge loss of the vocoder: scores above 1 for generated waveforms.
torch::Tensor generator_loss(const std::vector<DiscriminatorOutput>& generated,
                             const torch::Tensor& weights);

// Feature matching loss of the vocoder: mean |difference| of the hidden features, relative to those
// of the recording. `recorded` has no gradient.
torch::Tensor feature_matching_loss(const std::vector<DiscriminatorOutput>& recorded,
                                    const std::vector<DiscriminatorOutput>& generated,
                                    const torch::Tensor& weights);

}  // namespace myxtts::model
