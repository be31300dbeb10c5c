// A voice loaded from a checkpoint for synthesis, and speaker embeddings.
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
#include "synthesis/voice_metadata.h"
#include "text/symbol_table.h"

namespace myxtts::synthesis {

// Returns the speaker embedding [V] of a mel, float32: the mean over at most 8 evenly spaced clips
// of `reference_frames`. Computes no gradients.
torch::Tensor speaker_embedding_of(const model::AcousticModel& model,
                                   const audio::Mel& mel,
                                   std::int64_t reference_frames);

// An acoustic model with its symbols and speakers, loaded from a checkpoint for synthesis. Uses the
// EMA weights if the checkpoint has them.
class Voice {
 public:
  // Throws UserError if the checkpoint is a vocoder or is inconsistent.
  explicit Voice(const checkpoint::LoadedCheckpoint& loaded);

  // Loads RUN, RUN/checkpoints or one checkpoint. Throws as checkpoint::find_checkpoint() does.
  static Voice load(const std::filesystem::path& run_or_checkpoint);

  // Returns the embedding [V] of a training speaker. Throws UsageError for an unknown name; the
  // message lists the speakers and the nearest name.
  torch::Tensor speaker_embedding(const std::string& name) const;
  // Returns the embedding [V] of the first training speaker.
  torch::Tensor first_speaker_embedding() const;

  // Returns the embedding [V] of a reference recording. Throws UserError if the recording is silent
  // or too short, UsageError if the model was trained without a voice encoder.
  torch::Tensor embed_recording(const audio::AudioClip& clip) const;

  // Caches bfloat16 weights, which makes bfloat16 inference faster with identical results.
  void cache_bf16_weights() { model_.parameters().cache_bf16_weights(); }

  const std::vector<std::string>& speakers() const { return metadata_.checkpoint.speakers; }
  const checkpoint::CheckpointMetadata& metadata() const { return metadata_.checkpoint; }
  const config::Config& config() const { return metadata_.config; }
  const audio::MelSpec& mel_spec() const { return metadata_.mel_spec; }
  const text::SymbolTable& symbols() const { return symbols_; }
  const model::AcousticModel& model() const { return model_; }

 private:
  VoiceMetadata metadata_;
  text::SymbolTable symbols_;
  model::AcousticModel model_;
  torch::Tensor speaker_means_;  // [S, V] float32
};

}  // namespace myxtts::synthesis
