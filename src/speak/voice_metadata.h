#pragma once

#include <filesystem>

#include "audio/mel_spec.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/checkpoint_store.h"
#include "config/config.h"

namespace xtts::speak {

// What a save says of itself beside its tensors.
struct VoiceMetadata {
  checkpoint::CheckpointMetadata facts;
  config::Config config;
  audio::MelSpec contract;
};

// Throws UserError if its configuration does not make the mels that it says it was trained on, and
// what reading either throws.
VoiceMetadata voice_metadata_of(const checkpoint::LoadedCheckpoint& save);

// Throws UserError if the vocoder in `folder` was trained on mels of another contract than that of
// the voice.
void require_same_mel_spec(const VoiceMetadata& vocoder,
                           const std::filesystem::path& folder,
                           const audio::MelSpec& voice);

// What a voice says of itself whose mels a vocoder is to learn from (--mels-from). Throws UserError
// if it is a vocoder, or makes mels of another contract.
VoiceMetadata facts_of_mel_voice(const checkpoint::LoadedCheckpoint& save,
                                 const audio::MelSpec& contract);

// True for a save of `myxtts train-vocoder`.
bool is_vocoder(const VoiceMetadata& saved);

}  // namespace xtts::speak
