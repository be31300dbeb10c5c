#pragma once

#include <torch/types.h>

namespace xtts::model {

// Depthwise convolution over the positions of a channel-last tensor, zeros outside; a row at a time
// on all threads of
// the CPU, by LibTorch on other devices. Gradients of the weights are summed row after row, so that
// the number of threads changes no bit. x [B, L, D] float32 or bfloat16, kernel [D, K] and bias [D]
// float32, K odd -> [B, L, D] as x
torch::Tensor depthwise_convolution(const torch::Tensor& x,
                                    const torch::Tensor& kernel,
                                    const torch::Tensor& bias);

// The same by LibTorch's own convolution, in float32: the specification.
torch::Tensor plain_depthwise_convolution(const torch::Tensor& x,
                                          const torch::Tensor& kernel,
                                          const torch::Tensor& bias);

}  // namespace xtts::model
