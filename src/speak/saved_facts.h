#pragma once

#include <filesystem>

#include "audio/mel_contract.h"
#include "checkpoint/save_facts.h"
#include "checkpoint/save_store.h"
#include "config/config.h"

namespace xtts::speak {

// What a save says of itself beside its tensors.
struct SavedFacts {
  checkpoint::SaveFacts facts;
  config::Config config;
  audio::MelContract contract;
};

// Throws UserError if its configuration does not make the mels that it says it was trained on, and
// what reading either throws.
SavedFacts saved_facts_of(const checkpoint::LoadedSave& save);

// Throws UserError if the vocoder in `folder` was trained on mels of another contract than that of
// the voice.
void require_same_contract(const SavedFacts& vocoder,
                           const std::filesystem::path& folder,
                           const audio::MelContract& voice);

// What a voice says of itself whose mels a vocoder is to learn from (--mels-from). Throws UserError
// if it is a vocoder, or makes mels of another contract.
SavedFacts facts_of_mel_voice(const checkpoint::LoadedSave& save,
                              const audio::MelContract& contract);

// True for a save of `myxtts train-vocoder`.
bool is_vocoder(const SavedFacts& saved);

}  // namespace xtts::speak
