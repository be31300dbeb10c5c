#pragma once

#include <span>
#include <vector>

namespace xtts::speak {

// One piece of speech and the silence that follows it.
struct SoundPiece {
  std::vector<float> samples;
  double pause_s = 0.0;  // not used after the last piece
};

inline constexpr double kLeadSeconds = 0.05;  // players swallow the first moments of a file
inline constexpr double kTailSeconds = 0.15;

// The pieces as one sound: silence, piece, pause, piece, silence. Each piece fades in and out
// within a few milliseconds, so that no edge is heard as a click. Samples are finite. No pieces
// give no samples.
std::vector<float> join_sounds(std::span<const SoundPiece> pieces, int sample_rate);

}  // namespace xtts::speak
