#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <torch/types.h>

#include "audio/decode.h"
#include "audio/mel.h"
#include "audio/mel_spec.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/checkpoint_store.h"
#include "config/config.h"
#include "model/acoustic_model_torch.h"
#include "speak/voice_metadata.h"
#include "text/symbol_table.h"

namespace xtts::speak {

// The voice vector [V] of a mel: the mean over clips of `reference_frames` that lie evenly over it,
// at most 8. Without gradients, float32.
torch::Tensor voice_vector(const model::AcousticModel& model,
                           const audio::Mel& mel,
                           std::int64_t reference_frames);

// A model with its speakers, read from a save: everything that speaking needs. The averaged weights
// where the save has them.
class Voice {
 public:
  // Throws UserError for a save of a vocoder, or one whose parts contradict each other.
  explicit Voice(const checkpoint::LoadedCheckpoint& save);

  // RUN, RUN/checkpoints or one save. Throws as checkpoint::find_checkpoint() does.
  static Voice load(const std::filesystem::path& run_or_save);

  // [V] of a training speaker. Throws UsageError that names the nearest one and lists all.
  torch::Tensor speaker_vector(const std::string& name) const;
  // [V] of the first training speaker.
  torch::Tensor first_speaker_vector() const;

  // [V] of a recording of anybody. Throws UserError if there is too little to hear in it,
  // UsageError if the model was trained without a voice encoder.
  torch::Tensor recording_vector(const audio::AudioClip& sound) const;

  // Speaking in bfloat16 is faster after it, and the same.
  void keep_rounded() { model_.parameters().keep_rounded(); }

  const std::vector<std::string>& speakers() const { return saved_.facts.speakers; }
  const checkpoint::CheckpointMetadata& facts() const { return saved_.facts; }
  const config::Config& config() const { return saved_.config; }
  const audio::MelSpec& contract() const { return saved_.contract; }
  const text::SymbolTable& symbols() const { return symbols_; }
  const model::AcousticModel& model() const { return model_; }

 private:
  VoiceMetadata saved_;
  text::SymbolTable symbols_;
  model::AcousticModel model_;
  torch::Tensor speaker_means_;  // [S, V] float32
};

}  // namespace xtts::speak
