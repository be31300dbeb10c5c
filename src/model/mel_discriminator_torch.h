// LSGAN discriminator of decoded and recorded mels with feature matching, used in training only.
// B rows, K frames, C mel channels; P, Q positions in time and over channels after the strides.
//
// Note [Mel discriminator]: a decoder trained with the absolute error alone predicts the median of
// all ways to speak a text, which sounds blurred. The patch discriminator is trained to output 1
// for recorded and 0 for decoded patches of a mel. The decoder is trained to get 1, and to match
// the hidden features of the recording. The decoder's losses see detached discriminator weights,
// and the discriminator's loss a detached decoded mel. So all of them are parts of one loss, one
// backward pass and one optimiser, and checkpoints include the discriminator. Inference does not
// need it.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "config/model_config.h"
#include "model/parameters_torch.h"

namespace myxtts::model {

// Adversarial loss sums, [] float32 each. The caller divides the first two by C x the valid frames
// of the batch, and the third by the utterances of the batch.
struct AdversarialSums {
  torch::Tensor discriminator;     // LSGAN loss of recorded and decoded mels
  torch::Tensor generator;         // squared distance of the decoded mels' scores from 1
  torch::Tensor feature_matching;  // relative L1 distance of hidden features
};

// The mel discriminator: three strided 2-D convolutions and an output layer.
class MelDiscriminator {
 public:
  // Adds its parameters. Their names start with "discriminator.", as those of the vocoder's
  // discriminators do, so that exported voices leave them out.
  // config.mel_discriminator_channels is at least 1.
  MelDiscriminator(ParameterSet& parameters, const config::ModelConfig& config);

  // recorded, decoded [B, K, C] float32, normalised; mask [B, K, 1] float32. Frames outside of the
  // mask have no influence. `type` is the compute type.
  AdversarialSums adversarial_sums(const torch::Tensor& recorded,
                                   const torch::Tensor& decoded,
                                   const torch::Tensor& mask,
                                   torch::ScalarType type) const;

 private:
  // Returns the outputs of all layers for mels [B, 1, K, C]; the last are the scores [B, 1, P, Q].
  // masks[i] belongs to strided layer i; the output layer has none. If `frozen`, the weights get no
  // gradient.
  std::vector<torch::Tensor> layers_of(const torch::Tensor& mel,
                                       const std::vector<torch::Tensor>& masks,
                                       bool frozen) const;

  std::vector<torch::Tensor> kernels_;  // [out, in, time, channels]
  std::vector<torch::Tensor> biases_;   // [out]
};

}  // namespace myxtts::model
