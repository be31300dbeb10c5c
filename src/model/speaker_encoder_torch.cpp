#include "model/speaker_encoder_torch.h"

#include <fmt/format.h>

namespace myxtts::model {

SpeakerEncoder::SpeakerEncoder(ParameterSet& parameters, const config::ModelConfig& config)
    : enabled_(config.use_voice_conditioning),
      width_(config.speaker_embedding_dim),
      in_(parameters, "voice.in", config.n_mels, config.audio_encoder_dim),
      norm_(parameters, "voice.norm", config.audio_encoder_dim),
      out_(parameters, "voice.out", config.audio_encoder_dim, config.speaker_embedding_dim) {
  for (int i = 0; i < config.audio_encoder_layers; ++i) {
    blocks_.emplace_back(parameters,
                         fmt::format("voice.{}", i),
                         config.audio_encoder_dim,
                         2 * config.audio_encoder_dim,
                         /*speaker_width=*/0);
  }
}

torch::Tensor SpeakerEncoder::operator()(const torch::Tensor& reference) const {
  if (!enabled_) return torch::zeros({reference.size(0), width_}, reference.options());
  const torch::Tensor mask = torch::ones({1, 1, 1}, reference.options());
  torch::Tensor x = in_(reference);
  for (const ConvNextBlock& block : blocks_)
    x = block(x, mask, {});
  return out_(norm_(x).mean(1));
}

}  // namespace myxtts::model
