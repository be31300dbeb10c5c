// Monotonic alignment search (MAS) by dynamic programming, as in Glow-TTS (arXiv 2005.11129).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace myxtts::model {

// Converts a count or index that is not negative to the index type of containers.
constexpr std::size_t index_of(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

// Returns the durations [T] (frames of each symbol, each at least 1, with the sum `num_frames`) of
// the path with the largest sum of scores. Ties go to the path whose last symbols are shortest.
// `scores` [num_frames, stride] holds the score of frame m for symbol t at m * stride + t; only
// t < num_symbols is read. 1 <= num_symbols <= num_frames.
//
// Reference implementation in double precision: a full table, then backtracking.
std::vector<std::int64_t> reference_alignment(std::span<const float> scores,
                                              std::int64_t num_symbols,
                                              std::int64_t num_frames,
                                              std::int64_t stride);

// Scratch memory that a thread reuses for all its utterances.
struct AlignmentScratch {
  std::vector<float> best;          // [T]
  std::vector<std::uint8_t> moved;  // [M, T], 1: the path comes from the previous symbol
};

// As reference_alignment(), in float32 with one row of the table. Writes durations[0 ..
// num_symbols).
void align(std::span<const float> scores,
           std::int64_t num_symbols,
           std::int64_t num_frames,
           std::int64_t stride,
           AlignmentScratch& scratch,
           std::span<std::int64_t> durations);

}  // namespace myxtts::model
