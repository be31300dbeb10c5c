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

// Which symbol each of L frames belongs to, as ones and zeros; frame l is frame start + l of the
// utterance. Frames outside belong to none.
// durations [B, T] int64, starts [B] int64 -> [B, L, T] of `type`
torch::Tensor symbol_of_frame(const torch::Tensor& durations,
                              const torch::Tensor& starts,
                              std::int64_t num_frames,
                              torch::ScalarType type);

}  // namespace xtts::model
