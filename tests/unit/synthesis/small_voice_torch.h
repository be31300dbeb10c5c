#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "audio/mel_spec.h"
#include "base/random.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/checkpoint_store.h"
#include "checkpoint/tensors_torch.h"
#include "config/config.h"
#include "config/write_yaml.h"
#include "model/acoustic_model_torch.h"
#include "text/symbol_table.h"

namespace myxtts::synthesis {

// Returns a configuration with a few thousand parameters and graphemes, so that no espeak-ng
// process is needed.
inline config::Config small_config() {
  config::Config config;
  config.data.use_phonemes = false;
  config.model.text_encoder_dim = 16;
  config.model.text_encoder_layers = 1;
  config.model.text_encoder_conv_layers = 1;
  config.model.text_encoder_ffn_dim = 16;
  config.model.audio_encoder_dim = 16;
  config.model.audio_encoder_layers = 1;
  config.model.speaker_embedding_dim = 8;
  config.model.decoder_dim = 16;
  config.model.decoder_layers = 1;
  config.model.decoder_ffn_dim = 16;
  return config;
}

// A small acoustic model with random weights and the metadata of its checkpoint.
struct SmallVoice {
  explicit SmallVoice(const config::Config& initial_config = small_config(),
                      const text::SymbolTable& symbols = {})
      : config(initial_config),
        model(config.model, static_cast<std::int64_t>(symbols.size()), /*seed=*/3),
        speaker_means(torch::empty({2, config.model.speaker_embedding_dim})) {
    base::Random random(7);
    fill(model.parameters().values(), random, 0.2);
    fill(speaker_means, random, 1.0);
    ema = model.parameters().values().detach().clone();
    metadata = {.program_version = "0",
                .step = 12,
                .speakers = {"anna", "ben"},
                .mel_spec_fingerprint = audio::mel_fingerprint(audio::mel_spec_of(config)),
                .symbols = symbols.to_text(),
                .config_yaml = config::write_yaml(config),
                .mel_mean = -5.0,
                .mel_std = 2.0,
                .precision = "fp32",
                .threads = 1,
                .state_json = "{}"};
    model.mel_normalisation() = {.mean = -5.0F, .std = 2.0F};
  }

  static void fill(torch::Tensor tensor, base::Random& random, double scale) {
    float* values = tensor.data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i)
      values[i] = static_cast<float>(scale * (2.0 * random.unit() - 1.0));
  }

  // Writes the model as the only checkpoint of a run folder.
  void write(const std::filesystem::path& run) {
    checkpoint::CheckpointContent content{
        .step = metadata.step,
        .model = checkpoint::weight_views(model.parameters(), model.parameters().values(), ema),
        .trainer = {},
        .config_json = checkpoint::to_json_text(metadata)};
    content.model.push_back(checkpoint::view_of("speakers.mean", speaker_means));
    checkpoint::CheckpointStore(run / "checkpoints").write(content);
  }

  config::Config config;
  model::AcousticModel model;
  torch::Tensor ema;            // [N]
  torch::Tensor speaker_means;  // [2, V]
  checkpoint::CheckpointMetadata metadata;
};

}  // namespace myxtts::synthesis
