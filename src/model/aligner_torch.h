#pragma once

#include <utility>

#include <torch/types.h>

namespace xtts::model {

// The weight of the diagonal prior, which leads the search while the means know nothing. A number,
// or a tensor [] float32 on the device, because a number would be frozen into a captured graph.
struct DiagonalPrior {
  DiagonalPrior(double its_weight = 0.0) : weight(its_weight) {}  // implicit: mostly it is a number
  explicit DiagonalPrior(torch::Tensor its_weight) : on_device(std::move(its_weight)) {}

  double weight = 0.0;      // 0: none
  torch::Tensor on_device;  // defined: stands for the number
};

// Frames of each symbol, by monotonic alignment search over the Gaussian likelihood of the means.
// Rows are searched in parallel, on the CPU's threads or by a kernel on CUDA that nothing waits
// for. No gradient. A row of length 0 gets zeros.
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

}  // namespace xtts::model
