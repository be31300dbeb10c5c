// Who tells decoded mels from recorded ones while a model is trained. B rows, K frames, C mel
// channels; P, Q positions in time and over channels behind strides.
//
// Note [A decoder and its critic]: a decoder that learns by absolute error alone answers with the
// middle of all the ways in which a text can be said, which is heard as a blur. The critic looks at
// small pieces of a mel and learns to say 1 to recorded ones and 0 to decoded ones; the decoder
// learns to be told 1, and to look to the critic's inner layers as its recording does. Each learns
// from its own sums: the decoder's pass through weights of the critic that count as constants, the
// critic's through a decoded mel that does. So both are parts of one loss, one backward pass and
// one optimiser, and a save holds the critic like everything else. Speaking does not need it.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "config/model_config.h"
#include "model/parameters_torch.h"

namespace xtts::model {

// Not yet divided by counts: [] float32 each.
struct AdversarialSums {
  torch::Tensor telling;   // squared error of the critic over C x K, its mistakes of both kinds
  torch::Tensor fooling;   // squared distance of what the decoder is told from 1, over C x K
  torch::Tensor features;  // of each row, how much the inner layers differ, as a share
};

class MelDiscriminator {
 public:
  // Adds its parameters, whose names begin with Discriminators::kPrefix.
  // config.mel_discriminator_channels is at least 1.
  MelDiscriminator(ParameterSet& parameters, const config::ModelConfig& config);

  // Normalised mels [B, K, C] float32, mask [B, K, 1] float32; what lies outside of it counts for
  // nothing, however much of it there is. `type` is that of the arithmetic.
  AdversarialSums contest(const torch::Tensor& recorded,
                          const torch::Tensor& decoded,
                          const torch::Tensor& mask,
                          torch::ScalarType type) const;

 private:
  // The layers' answers to mels [B, 1, K, C], the last one [B, 1, P, Q]; masks of each layer.
  std::vector<torch::Tensor> layers_of(const torch::Tensor& mel,
                                       const std::vector<torch::Tensor>& masks,
                                       bool learns) const;

  std::vector<torch::Tensor> kernels_;  // [out, in, time, channels]
  std::vector<torch::Tensor> biases_;   // [out]
};

}  // namespace xtts::model
