#pragma once

#include <vector>

#include "config/model_config.h"
#include "model/layers_torch.h"

namespace myxtts::model {

// Text encoder: symbol embedding, ConvNeXt blocks for local context, attention blocks for the whole
// sentence.
class TextEncoder {
 public:
  TextEncoder(ParameterSet& parameters,
              const config::ModelConfig& config,
              std::int64_t num_symbols);

  // text [B, T] int64; mask [B, T, 1] and speaker [B, V] in the compute type -> states [B, T, H],
  // 0 outside of the mask.
  torch::Tensor operator()(const torch::Tensor& text,
                           const torch::Tensor& mask,
                           const torch::Tensor& speaker,
                           double dropout) const;

 private:
  torch::Tensor embedding_;  // [symbols, H]
  std::vector<ConvNextBlock> convolutions_;
  std::vector<AttentionBlock> attentions_;
  LayerNorm norm_;
};

}  // namespace myxtts::model
