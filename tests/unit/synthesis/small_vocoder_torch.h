#pragma once

#include <filesystem>

#include <torch/types.h>

#include "audio/mel.h"
#include "model/vocoder_torch.h"
#include "small_voice_torch.h"

namespace myxtts::synthesis {

inline config::Config small_vocoder_config() {
  config::Config config = small_config();
  config.model.vocoder_initial_channel = 16;
  config.model.vocoder_layers = 2;
  config.model.vocoder_ffn_dim = 24;
  return config;
}

// A small vocoder with random weights and the metadata of its checkpoint.
struct SmallVocoder {
  explicit SmallVocoder(const config::Config& initial_config = small_vocoder_config())
      : config(initial_config), model(config.model, /*seed=*/5) {
    base::Random random(9);
    SmallVoice::fill(model.parameters().values(), random, 0.1);
    ema = model.parameters().values().detach().clone();
    model.mel_normalisation() = {.mean = -5.0F, .std = 2.0F};
    metadata = {.kind = checkpoint::kVocoderKind,
                .program_version = "0",
                .step = 21,
                .speakers = {},
                .mel_spec_fingerprint = audio::mel_fingerprint(audio::mel_spec_of(config)),
                .symbols = "",
                .config_yaml = config::write_yaml(config),
                .mel_mean = -5.0,
                .mel_std = 2.0,
                .precision = "fp32",
                .threads = 1,
                .state_json = "{}"};
  }

  // Writes the vocoder as the only checkpoint of a run folder.
  void write(const std::filesystem::path& run) {
    checkpoint::CheckpointStore(run / "checkpoints")
        .write({.step = metadata.step,
                .model =
                    checkpoint::weight_views(model.parameters(), model.parameters().values(), ema),
                .trainer = {},
                .config_json = checkpoint::to_json_text(metadata)});
  }

  config::Config config;
  model::Vocoder model;
  torch::Tensor ema;  // [N]
  checkpoint::CheckpointMetadata metadata;
};

// Returns a mel of random frames around the mean.
inline audio::Mel some_mel(std::int64_t num_frames) {
  base::Random random(11);
  audio::Mel mel{.num_frames = num_frames, .n_mels = 80, .values = {}};
  for (std::int64_t i = 0; i < num_frames * mel.n_mels; ++i)
    mel.values.push_back(static_cast<float>(-5.0 + 2.0 * (2.0 * random.unit() - 1.0)));
  return mel;
}

}  // namespace myxtts::synthesis
