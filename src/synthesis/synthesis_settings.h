// Settings of speech synthesis and their limits, without LibTorch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace myxtts::synthesis {

// Largest text in code points: about five minutes of audio, which is kept in memory.
inline constexpr std::size_t kMaxTextCharacters = 4096;

inline constexpr double kMinSpeed = 0.5;  // of SynthesisSettings::speed
inline constexpr double kMaxSpeed = 2.0;

inline constexpr double kMinLoudnessLufs = -60.0;  // of SynthesisSettings::loudness_lufs
inline constexpr double kMaxLoudnessLufs = -5.0;

// Returns the longest piece of text in characters: at most the longest text of the training data.
// Longer sentences are cut (synthesis/sentences.h).
constexpr std::size_t max_characters_per_piece(std::optional<int> max_text_length) {
  constexpr int kLimit = 160;
  return static_cast<std::size_t>(std::min(kLimit, max_text_length.value_or(kLimit)));
}

struct SynthesisSettings {
  double speed = 1.0;      // kMinSpeed to kMaxSpeed
  std::uint64_t seed = 1;  // of Griffin-Lim's initial phases and of a flow decoder's noise
  // Strength of the postfilter (synthesis/postfilter.h), 0 to kMaxPostfilter; absent: the default
  // of the decoder.
  std::optional<double> postfilter = {};
  // Integrated loudness of the output (EBU R 128); absent: not normalised. Peaks never exceed
  // -1 dBFS (synthesis/normalise_loudness.h).
  std::optional<double> loudness_lufs = -23.0;
  std::size_t max_piece_characters = 160;  // longer sentences are cut (synthesis/sentences.h)
  int num_workers = 1;                     // threads of Griffin-Lim
  // Model and vocoder compute in bfloat16, which is faster on processors that support it.
  bool in_bf16 = false;
};

}  // namespace myxtts::synthesis
