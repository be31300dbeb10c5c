#pragma once

#include "checkpoint/checkpoint_metadata.h"

namespace xtts::train {

// What a run trains. Both go through one loop; what differs asks this.
enum class Task { kVoice, kVocoder };

// As a save's config.json has it.
inline const char* kind_of(Task trained) {
  return trained == Task::kVoice ? checkpoint::kVoiceKind : checkpoint::kVocoderKind;
}

}  // namespace xtts::train
