#pragma once

#include <vector>

#include "config/model_config.h"
#include "model/layers_torch.h"

namespace xtts::model {

// A clip of a voice to one vector: ConvNeXt blocks at frame rate, then the mean over time. Without
// voice conditioning the vector is zero and all voices are one.
class VoiceEncoder {
 public:
  VoiceEncoder(ParameterSet& parameters, const config::ModelConfig& config);

  torch::Tensor operator()(const torch::Tensor& reference) const;  // [B, R, C] -> [B, V]

 private:
  bool enabled_;
  std::int64_t width_;
  Linear in_;
  std::vector<ConvNextBlock> blocks_;
  LayerNorm norm_;
  Linear out_;
};

}  // namespace xtts::model
