#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "audio/mel.h"
#include "audio/mel_spec.h"
#include "checkpoint/checkpoint_store.h"
#include "model/vocoder_torch.h"
#include "synthesis/voice_metadata.h"

namespace myxtts::synthesis {

// A vocoder from a checkpoint of `myxtts train-vocoder`: mel frames to samples. Uses the EMA
// weights if the checkpoint has them.
//
// Deterministic. Calls tensor operations on the calling thread only.
class TrainedVocoder {
 public:
  // Throws UserError if the checkpoint is not a vocoder or is inconsistent.
  explicit TrainedVocoder(const checkpoint::LoadedCheckpoint& loaded);

  // Loads RUN, RUN/checkpoints or one checkpoint. Throws as checkpoint::find_checkpoint() does.
  static TrainedVocoder load(const std::filesystem::path& run_or_checkpoint);

  // Throws UserError if the vocoder was trained with another mel spec.
  void require_mel_spec(const audio::MelSpec& mel_spec) const;

  // Returns (num_frames - 1) * hop_length samples at the sample rate of the mel spec. Throws
  // UserError if they are not finite.
  std::vector<float> waveform_of(const audio::Mel& mel,
                                 torch::ScalarType type = torch::kFloat32) const;

  // Returns the samples of waveform_of() from frame `begin` to frame `end` <= num_frames - 1, equal
  // up to rounding. Computes only these frames and their context.
  std::vector<float> waveform_range(const audio::Mel& mel,
                                    std::int64_t begin,
                                    std::int64_t end,
                                    torch::ScalarType type = torch::kFloat32) const;

  // Caches bfloat16 weights, which makes bfloat16 inference faster with identical results.
  void cache_bf16_weights() { model_.parameters().cache_bf16_weights(); }

  const std::filesystem::path& folder() const { return folder_; }  // of the checkpoint
  const audio::MelSpec& mel_spec() const { return metadata_.mel_spec; }

 private:
  std::filesystem::path folder_;
  VoiceMetadata metadata_;
  model::Vocoder model_;
};

}  // namespace myxtts::synthesis
