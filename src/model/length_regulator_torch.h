// Length regulation: expands values of symbols to frames by duration, and reduces frames to
// symbols.
//
// The frames of a row belong to its symbols in order, each symbol having as many as its duration.
// Frame l of a result is frame start + l of the utterance; frames without a symbol are zeros.
// Values are float32 or bfloat16. The CPU version loops over the symbols; other devices use the
// reference implementation, a product with symbol_of_frame().
#pragma once

#include <cstdint>

#include <torch/types.h>

namespace myxtts::model {

// Durations of the symbols and the first frame of each row's window.
struct FrameDurations {
  torch::Tensor per_symbol;  // [B, T] int64, frames
  torch::Tensor starts;      // [B] int64
};

// Returns the value of its symbol for each frame: values [B, T, C] -> [B, num_frames, C].
torch::Tensor expand_by_duration(const torch::Tensor& values,
                                 const FrameDurations& durations,
                                 std::int64_t num_frames);
torch::Tensor reference_expand_by_duration(const torch::Tensor& values,
                                           const FrameDurations& durations,
                                           std::int64_t num_frames);

// Returns the sum over its frames for each symbol: frames [B, L, C] -> [B, T, C]. No gradient.
torch::Tensor reduce_by_duration(const torch::Tensor& frames, const FrameDurations& durations);
torch::Tensor reference_reduce_by_duration(const torch::Tensor& frames,
                                           const FrameDurations& durations);

// Returns the alignment matrix [B, L, T] in `type`: 1 where frame l belongs to symbol t, else 0. No
// gradient.
torch::Tensor symbol_of_frame(const FrameDurations& durations,
                              std::int64_t num_frames,
                              torch::ScalarType type);

}  // namespace myxtts::model
