#pragma once

#include <filesystem>

#include "audio/mel_spec.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/checkpoint_store.h"
#include "config/config.h"

namespace myxtts::synthesis {

// The metadata of a voice or vocoder checkpoint, with its configuration and mel spec.
struct VoiceMetadata {
  checkpoint::CheckpointMetadata checkpoint;
  config::Config config;
  audio::MelSpec mel_spec;
};

// Reads the metadata of a checkpoint. Throws UserError if it cannot be parsed, or if the mel spec
// of the configuration does not match the stored fingerprint.
VoiceMetadata voice_metadata_of(const checkpoint::LoadedCheckpoint& loaded);

// Throws UserError if the mel spec of the vocoder in `folder` differs from that of the voice.
void require_same_mel_spec(const VoiceMetadata& vocoder,
                           const std::filesystem::path& folder,
                           const audio::MelSpec& voice);

// Reads the metadata of the voice whose GTA mels train a vocoder (--mels-from). Throws UserError if
// the checkpoint is a vocoder or has another mel spec.
VoiceMetadata metadata_of_mel_source(const checkpoint::LoadedCheckpoint& loaded,
                                     const audio::MelSpec& mel_spec);

// Returns true for a checkpoint of `myxtts train-vocoder`.
bool is_vocoder(const VoiceMetadata& metadata);

}  // namespace myxtts::synthesis
