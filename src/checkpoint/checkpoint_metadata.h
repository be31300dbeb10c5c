#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::checkpoint {

// What a save is of.
inline constexpr const char* kVoiceKind = "voice";
inline constexpr const char* kVocoderKind = "vocoder";

// Everything in a save that is not a tensor: config.json. What `speak` needs to be the same model
// again, and what `train` needs to go on.
struct CheckpointMetadata {
  std::string kind = kVoiceKind;  // saves of older programs do not say it and are of voices
  std::string program_version;
  std::int64_t step = 0;              // updates finished
  std::vector<std::string> speakers;  // rows of "speakers.mean" of a voice; "" if never named
  std::string mel_spec_fingerprint;
  std::string symbols;      // text::SymbolTable::to_text()
  std::string config_yaml;  // the resolved configuration
  double mel_mean = 0.0;    // of the training corpus, natural logarithm
  double mel_std = 1.0;
  std::string precision;   // "fp32" or "bf16"
  int threads = 0;         // that the model's arithmetic used
  std::string state_json;  // of the trainer (train/train_state.h)
};

// What `myxtts export` writes has no state of a trainer.
inline constexpr const char* kNoState = "{}";
inline bool is_exported(const CheckpointMetadata& facts) {
  return facts.state_json == kNoState;
}

std::string to_json_text(const CheckpointMetadata& facts);

// Throws UserError that names the key which is missing or of the wrong type; `source` is the file's
// name in messages.
CheckpointMetadata parse_checkpoint_metadata(std::string_view json_text, const std::string& source);

}  // namespace xtts::checkpoint
