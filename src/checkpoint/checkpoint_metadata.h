// The metadata of a checkpoint: its config.json, which holds all that is not a tensor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::checkpoint {

// Values of CheckpointMetadata::kind.
inline constexpr const char* kVoiceKind = "voice";
inline constexpr const char* kVocoderKind = "vocoder";

// The values that `speak` needs to rebuild the model and `train` needs to resume.
struct CheckpointMetadata {
  std::string kind = kVoiceKind;  // absent in older checkpoints, which are voices
  std::string program_version;
  std::int64_t step = 0;              // optimiser steps finished
  std::vector<std::string> speakers;  // rows of "speakers.mean" of a voice; "" if unnamed
  std::string mel_spec_fingerprint;
  std::string symbols;      // text::SymbolTable::to_text()
  std::string config_yaml;  // the resolved configuration
  double mel_mean = 0.0;    // of the training corpus, natural log
  double mel_std = 1.0;
  std::string precision;   // "fp32" or "bf16"
  int threads = 0;         // compute threads of the model
  std::string state_json;  // trainer state (train/train_state.h)
};

// The trainer state of a checkpoint written by `myxtts export`.
inline constexpr const char* kNoState = "{}";
inline bool is_exported(const CheckpointMetadata& metadata) {
  return metadata.state_json == kNoState;
}

std::string to_json_text(const CheckpointMetadata& metadata);

// Throws UserError that names a key that is missing or of the wrong type. `source` is the file name
// in messages.
CheckpointMetadata parse_checkpoint_metadata(std::string_view json_text, const std::string& source);

}  // namespace myxtts::checkpoint
