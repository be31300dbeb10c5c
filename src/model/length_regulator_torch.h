// From symbols to frames and back, by how long each symbol lasts: symbol t of a row owns its
// duration's frames, one symbol after the other. Frame l of a result is frame start + l of the
// utterance; frames that no symbol owns are zeros.
//
// durations [B, T] int64, starts [B] int64; values are float32 or bfloat16. On the CPU by walking
// over the symbols; on other devices by a product with symbol_of_frame, which is the specification.
#pragma once

#include <cstdint>

#include <torch/types.h>

namespace xtts::model {

// Whose frames they are: the durations of a row's symbols and the first frame of its window.
struct FrameDurations {
  torch::Tensor durations;
  torch::Tensor starts;
};

// The value of its symbol for each frame: values [B, T, C] -> [B, num_frames, C].
torch::Tensor expand_by_duration(const torch::Tensor& values,
                                 const FrameDurations& owners,
                                 std::int64_t num_frames);
torch::Tensor reference_expand_by_duration(const torch::Tensor& values,
                                           const FrameDurations& owners,
                                           std::int64_t num_frames);

// The sum over its frames for each symbol, without gradient: frames [B, L, C] -> [B, T, C].
torch::Tensor reduce_by_duration(const torch::Tensor& frames, const FrameDurations& owners);
torch::Tensor reference_reduce_by_duration(const torch::Tensor& frames,
                                           const FrameDurations& owners);

// Which symbol each of L frames belongs to, as ones and zeros: [B, L, T] of `type`. No gradient.
torch::Tensor symbol_of_frame(const FrameDurations& owners,
                              std::int64_t num_frames,
                              torch::ScalarType type);

}  // namespace xtts::model
