#pragma once

#include "checkpoint/save_facts.h"

namespace xtts::train {

// What a run trains. Both go through one loop; what differs asks this.
enum class Trained { kVoice, kVocoder };

// As a save's config.json has it.
inline const char* kind_of(Trained trained) {
  return trained == Trained::kVoice ? checkpoint::kVoiceKind : checkpoint::kVocoderKind;
}

}  // namespace xtts::train
