#pragma once

#include "checkpoint/checkpoint_metadata.h"

namespace myxtts::train {

// The task of a run: which model it trains. Both tasks share one training loop.
enum class Task { kVoice, kVocoder };

// Returns the value of "kind" in a checkpoint's config.json.
inline const char* kind_of(Task task) {
  return task == Task::kVoice ? checkpoint::kVoiceKind : checkpoint::kVocoderKind;
}

}  // namespace myxtts::train
