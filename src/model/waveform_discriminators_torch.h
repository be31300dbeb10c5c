// Networks that tell recordings from what a vocoder makes, so that it learns what they notice (the
// adversarial stage, after HiFi-GAN, arXiv:2010.05646, and UnivNet, arXiv:2106.07889). B rows, S
// samples, M frames, F bins.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "model/parameters_torch.h"

namespace xtts::model {

// Channels of the first layers; later ones have up to eight times as many, those of a resolution
// four. The published ones have 32 and 32 and want a GPU.
struct DiscriminatorSizes {
  std::int64_t period_channels = 8;
  std::int64_t resolution_channels = 8;
};

// What one discriminator makes of some sounds.
struct DiscriminatorOutput {
  torch::Tensor scores;                 // [B, ...] high where it takes a sound for a recording
  std::vector<torch::Tensor> features;  // [B, ...] what its layers see on the way
};

// Five that fold a sound at a period (2, 3, 5, 7 and 11 samples), which see what repeats, and three
// that look at its magnitudes under windows of 512, 1024 and 2048 samples, which see what a tone or
// a moment is blurred by. Works on the device of its parameters.
class WaveformDiscriminators {
 public:
  // All names of their parameters begin with it.
  static constexpr const char* kPrefix = "discriminator.";

  // Adds its parameters to the set.
  WaveformDiscriminators(ParameterSet& parameters, const DiscriminatorSizes& sizes);
  ~WaveformDiscriminators();

  // sound [B, S] float32 -> one opinion of each; the layers compute in `type`, float32 or bfloat16.
  // S is at least 2048.
  // Frozen: the sound is given a gradient, their weights are not.
  std::vector<DiscriminatorOutput> operator()(const torch::Tensor& sound,
                                              torch::ScalarType type,
                                              bool frozen = false) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// What a convolution over the third dimension of x [B, P, L, C] sees, zeros outside; its kernel is
// odd. -> [B, P, (L - 1) / stride + 1, kernel * C], the places of a window one after the other.
torch::Tensor windows_of(const torch::Tensor& x, std::int64_t kernel, std::int64_t stride);

// Losses, as sums over the rows of each row's mean over all discriminators: [] float32. weights
// [B], 1 or, for an empty row, 0.

// What the discriminators learn by: scores above 1 for recordings, below -1 for what is made.
torch::Tensor discriminator_loss(const std::vector<DiscriminatorOutput>& recorded,
                                 const std::vector<DiscriminatorOutput>& made,
                                 const torch::Tensor& weights);

// What the vocoder learns by: to be taken for a recording ...
torch::Tensor generator_loss(const std::vector<DiscriminatorOutput>& made,
                             const torch::Tensor& weights);

// ... and to look like this one to all layers: the mean |difference| of features as a share of what
// those of the recording are. `recorded` has no gradient.
torch::Tensor feature_matching_loss(const std::vector<DiscriminatorOutput>& recorded,
                                    const std::vector<DiscriminatorOutput>& made,
                                    const torch::Tensor& weights);

}  // namespace xtts::model
