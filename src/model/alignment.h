// Monotonic alignment search: which frames belong to which symbol, when every symbol has at least
// one frame and neither goes back (the dynamic programming of Glow-TTS, arXiv 2005.11129).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xtts::model {

// A count or place that is known not to be negative, as containers want it.
constexpr std::size_t index_of(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

// The durations [T] (frames of each symbol, each at least 1, summing up to `num_frames`) of the
// path with the largest sum of scores; among equal ones the path that moves on earliest counted
// from the end. `scores` [num_frames, stride] holds the score of frame m for symbol t at m * stride
// + t; only t < num_symbols is read. 1 <= num_symbols <= num_frames.
//
// The specification, in double precision: a whole table, then the way back.
std::vector<std::int64_t> reference_alignment(std::span<const float> scores,
                                              std::int64_t num_symbols,
                                              std::int64_t num_frames,
                                              std::int64_t stride);

// Memory that one thread reuses from utterance to utterance.
struct AlignmentScratch {
  std::vector<float> best;          // [T]
  std::vector<std::uint8_t> moved;  // [M, T]: the path came from the symbol before
};

// The same in float32, one row of the table at a time. Writes durations[0 .. num_symbols).
void align(std::span<const float> scores,
           std::int64_t num_symbols,
           std::int64_t num_frames,
           std::int64_t stride,
           AlignmentScratch& scratch,
           std::span<std::int64_t> durations);

}  // namespace xtts::model
