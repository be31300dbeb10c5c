#pragma once

#include <vector>

#include "config/model_config.h"
#include "model/layers_torch.h"

namespace myxtts::model {

// Speaker encoder: computes a speaker embedding from a reference clip by ConvNeXt blocks at frame
// rate and a mean over time. Without voice conditioning all embeddings are zero.
class SpeakerEncoder {
 public:
  SpeakerEncoder(ParameterSet& parameters, const config::ModelConfig& config);

  torch::Tensor operator()(const torch::Tensor& reference) const;  // [B, R, C] -> [B, V]

 private:
  bool enabled_;
  std::int64_t width_;
  Linear in_;
  std::vector<ConvNextBlock> blocks_;
  LayerNorm norm_;
  Linear out_;
};

}  // namespace myxtts::model
