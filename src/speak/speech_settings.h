// How a text is to be spoken, without tensors: what the command line checks and the synthesiser
// obeys.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xtts::speak {

// Characters of one text; what is spoken at once is held in memory at once (half an hour of sound).
inline constexpr std::size_t kMaxSpokenCharacters = 20'000;

inline constexpr double kSlowest = 0.5;  // of SpeechSettings::speed
inline constexpr double kFastest = 2.0;

struct SpeechSettings {
  double speed = 1.0;                      // kSlowest to kFastest
  std::uint64_t seed = 1;                  // of the vocoder's first phases
  std::size_t max_piece_characters = 160;  // longer sentences are cut (speak/sentences.h)
  int num_workers = 1;                     // threads on which pieces become sound
};

}  // namespace xtts::speak
