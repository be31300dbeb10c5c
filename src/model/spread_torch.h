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
struct Owners {
  torch::Tensor durations;
  torch::Tensor starts;
};

// The value of its symbol for each frame: values [B, T, C] -> [B, num_frames, C].
torch::Tensor spread(const torch::Tensor& values, const Owners& owners, std::int64_t num_frames);
torch::Tensor plain_spread(const torch::Tensor& values,
                           const Owners& owners,
                           std::int64_t num_frames);

// The sum over its frames for each symbol, without gradient: frames [B, L, C] -> [B, T, C].
torch::Tensor collect(const torch::Tensor& frames, const Owners& owners);
torch::Tensor plain_collect(const torch::Tensor& frames, const Owners& owners);

// Which symbol each of L frames belongs to, as ones and zeros: [B, L, T] of `type`. No gradient.
torch::Tensor symbol_of_frame(const Owners& owners,
                              std::int64_t num_frames,
                              torch::ScalarType type);

}  // namespace xtts::model
