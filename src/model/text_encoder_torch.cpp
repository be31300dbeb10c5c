#include "model/text_encoder_torch.h"

#include <fmt/format.h>

namespace myxtts::model {

TextEncoder::TextEncoder(ParameterSet& parameters,
                         const config::ModelConfig& config,
                         std::int64_t num_symbols)
    : embedding_(parameters.add("text.embedding", {num_symbols, config.text_encoder_dim}, 1.0)),
      norm_(parameters, "text.norm", config.text_encoder_dim) {
  for (int i = 0; i < config.text_encoder_conv_layers; ++i) {
    convolutions_.emplace_back(parameters,
                               fmt::format("text.convolution.{}", i),
                               config.text_encoder_dim,
                               config.text_encoder_ffn_dim,
                               config.speaker_embedding_dim);
  }
  for (int i = 0; i < config.text_encoder_layers; ++i) {
    attentions_.emplace_back(parameters,
                             fmt::format("text.attention.{}", i),
                             config.text_encoder_dim,
                             config.text_encoder_heads,
                             config.text_encoder_ffn_dim,
                             config.speaker_embedding_dim);
  }
}

torch::Tensor TextEncoder::operator()(const torch::Tensor& text,
                                      const torch::Tensor& mask,
                                      const torch::Tensor& speaker,
                                      double dropout) const {
  torch::Tensor x = at::embedding(embedding_, text).to(mask.scalar_type()) * mask;
  const auto drop = [dropout](const torch::Tensor& y) {
    return dropout > 0.0 ? at::dropout(y, dropout, /*train=*/true) : y;
  };
  for (const ConvNextBlock& block : convolutions_)
    x = drop(block(x, mask, speaker));
  for (const AttentionBlock& block : attentions_)
    x = drop(block(x, mask, speaker));
  return norm_(x) * mask;
}

}  // namespace myxtts::model
