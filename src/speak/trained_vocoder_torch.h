#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "audio/mel.h"
#include "audio/mel_spec.h"
#include "checkpoint/checkpoint_store.h"
#include "model/vocoder_torch.h"
#include "speak/voice_metadata.h"

namespace xtts::speak {

// A vocoder read from a save of `myxtts train-vocoder`: mel frames to samples. The averaged
// weights where the save has them.
//
// Calls tensor operations on the calling thread alone. Same mel, same samples.
class TrainedVocoder {
 public:
  // Throws UserError for a save that is no vocoder, or one whose parts contradict each other.
  explicit TrainedVocoder(const checkpoint::LoadedCheckpoint& save);

  // RUN, RUN/checkpoints or one save. Throws as checkpoint::find_checkpoint() does.
  static TrainedVocoder load(const std::filesystem::path& run_or_save);

  // Throws UserError if it was trained on mels of another contract.
  void require_contract(const audio::MelSpec& contract) const;

  // Samples at the contract's rate, (num_frames - 1) * hop_length of them. Throws UserError if they
  // are no numbers.
  std::vector<float> sound_of(const audio::Mel& mel,
                              torch::ScalarType type = torch::kFloat32) const;

  // The same samples from frame `begin` to frame `end` <= num_frames - 1, without the work of those
  // that are not heard in between. Parts differ from the whole by rounding.
  std::vector<float> part_of(const audio::Mel& mel,
                             std::int64_t begin,
                             std::int64_t end,
                             torch::ScalarType type = torch::kFloat32) const;

  // Sound in bfloat16 is made faster after it, and the same.
  void keep_rounded() { model_.parameters().keep_rounded(); }

  const std::filesystem::path& folder() const { return folder_; }  // of the save
  const audio::MelSpec& contract() const { return saved_.contract; }

 private:
  std::filesystem::path folder_;
  VoiceMetadata saved_;
  model::Vocoder model_;
};

}  // namespace xtts::speak
