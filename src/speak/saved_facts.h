#pragma once

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

// True for a save of `myxtts train-vocoder`.
bool is_vocoder(const checkpoint::LoadedSave& save);

}  // namespace xtts::speak
