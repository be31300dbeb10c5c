// How a text is to be spoken, without tensors: what the command line checks and the synthesiser
// obeys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace xtts::speak {

// Characters (code points) of one text: about five minutes of sound, which are held in memory.
inline constexpr std::size_t kMaxSpokenCharacters = 4096;

inline constexpr double kSlowest = 0.5;  // of SynthesisSettings::speed
inline constexpr double kFastest = 2.0;

inline constexpr double kQuietestLufs = -60.0;  // of SynthesisSettings::loudness_lufs
inline constexpr double kLoudestLufs = -5.0;

// Longer sentences than a model may have heard are cut (speak/sentences.h).
constexpr std::size_t piece_characters(std::optional<int> max_text_length) {
  constexpr int kMost = 160;
  return static_cast<std::size_t>(std::min(kMost, max_text_length.value_or(kMost)));
}

struct SynthesisSettings {
  double speed = 1.0;      // kSlowest to kFastest
  std::uint64_t seed = 1;  // of the vocoder's first phases and a flow's noise
  // How much the frames of the model are sharpened (speak/postfilter.h), 0 to kMostSharpness;
  // absent: what its decoder needs.
  std::optional<double> sharpness = {};
  // Integrated loudness of the whole (EBU R 128); absent: as the model says it. Peaks stay below
  // -1 dBFS in either case (speak/normalise_loudness.h).
  std::optional<double> loudness_lufs = -23.0;
  std::size_t max_piece_characters = 160;  // longer sentences are cut (speak/sentences.h)
  int num_workers = 1;                     // threads on which pieces become sound
  // The layers of model and vocoder compute in bfloat16, which processors that have it do faster.
  bool in_bf16 = false;
};

}  // namespace xtts::speak
