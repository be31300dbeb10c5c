#pragma once

#include <torch/types.h>

namespace xtts::model {

// A depthwise convolution over the positions of each row, zeros outside, then the norm over
// channels with each row's own scale and shift. On the CPU in one pass by threads that share the
// positions; their number changes no bit. By LibTorch on other devices.
//
// x [B, L, D] float32 or bfloat16; kernel [D, K], K odd, bias [D], scale and shift [B, D] float32
// -> [B, L, D] as x
torch::Tensor depthwise_norm(const torch::Tensor& x,
                             const torch::Tensor& kernel,
                             const torch::Tensor& bias,
                             const torch::Tensor& scale,
                             const torch::Tensor& shift);

// The same by LibTorch's own operators: the specification.
torch::Tensor reference_depthwise_norm(const torch::Tensor& x,
                                       const torch::Tensor& kernel,
                                       const torch::Tensor& bias,
                                       const torch::Tensor& scale,
                                       const torch::Tensor& shift);

}  // namespace xtts::model
