// A small corpus, and the settings of a small model that trains on it within a second.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts {

class HumCorpus {
 public:
  HumCorpus() {
    std::string metadata;
    for (int i = 0; i < 24; ++i) {
      const std::string id = "u" + std::to_string(i);
      metadata += id + "|la la la\n";
      dir_.write("corpus/wavs/" + id + ".wav", corpus::hum_wav(0.3 + 0.02 * (i % 9)));
    }
    dir_.write("corpus/metadata.csv", metadata);
  }

  std::string corpus() const { return (dir_.path() / "corpus").string(); }
  std::string path(const std::string& name) const { return (dir_.path() / name).string(); }

  static std::vector<std::pair<std::string, std::string>> small_settings() {
    return {{"model.text_encoder_dim", "16"},
            {"model.text_encoder_conv_layers", "1"},
            {"model.text_encoder_layers", "1"},
            {"model.text_encoder_heads", "2"},
            {"model.text_encoder_ffn_dim", "16"},
            {"model.audio_encoder_dim", "16"},
            {"model.audio_encoder_layers", "1"},
            {"model.speaker_embedding_dim", "16"},
            {"model.decoder_dim", "16"},
            {"model.decoder_layers", "1"},
            {"model.decoder_ffn_dim", "16"},
            {"model.vocoder_initial_channel", "16"},
            {"model.vocoder_layers", "1"},
            {"model.vocoder_ffn_dim", "16"},
            {"data.batch_size", "4"},
            {"data.use_phonemes", "false"},
            {"data.reference_audio_length", "0.5"},
            {"data.num_workers", "0"},
            {"data.val_split", "0.25"},
            {"training.threads", "1"},
            {"training.precision", "fp32"},
            {"training.enable_text2audio_eval", "false"},
            {"training.spectrogram_log_interval", "0"}};
  }

 private:
  support::TempDir dir_;
};

}  // namespace myxtts
