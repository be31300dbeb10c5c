// Alignment of symbols to mel frames for a batch, by monotonic alignment search.
#pragma once

#include <utility>

#include <torch/types.h>

namespace myxtts::model {

// Weight of the diagonal prior, which guides the alignment search while the symbol means are
// untrained. It is a number, or a tensor [] float32 on the device, because a CUDA graph would
// capture a number as a constant.
struct DiagonalPrior {
  DiagonalPrior(double value = 0.0) : weight(value) {}  // implicit: callers mostly pass a number
  explicit DiagonalPrior(torch::Tensor value) : on_device(std::move(value)) {}

  double weight = 0.0;      // 0: no prior
  torch::Tensor on_device;  // replaces `weight` if defined
};

// Returns the duration of each symbol in frames, by monotonic alignment search over the Gaussian
// likelihood of the means. Searches the rows in parallel, on CPU threads or in a CUDA kernel
// without synchronisation. Has no gradient. A row of length 0 gets zeros.
//
// means         [B, T, C] float32
// mel           [B, M, C] float32, in the same units
// text_lengths  [B] int64, each at most its mel length
// mel_lengths   [B] int64
// returns       [B, T] int64
torch::Tensor search_durations(const torch::Tensor& means,
                               const torch::Tensor& mel,
                               const torch::Tensor& text_lengths,
                               const torch::Tensor& mel_lengths,
                               const DiagonalPrior& diagonal);

}  // namespace myxtts::model
