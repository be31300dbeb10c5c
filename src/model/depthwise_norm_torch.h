#pragma once

#include <torch/types.h>

namespace myxtts::model {

// Depthwise convolution (zero-padded) followed by layer normalisation with a scale and shift per
// row. On the CPU one fused, multi-threaded pass whose result does not depend on the number of
// threads; on other devices the reference implementation.
//
// x [B, L, D] float32 or bfloat16; kernel [D, K], K odd, bias [D], scale and shift [B, D] float32
// -> [B, L, D] in the type of x
torch::Tensor depthwise_norm(const torch::Tensor& x,
                             const torch::Tensor& kernel,
                             const torch::Tensor& bias,
                             const torch::Tensor& scale,
                             const torch::Tensor& shift);

// Reference implementation of depthwise_norm() with LibTorch operators.
torch::Tensor reference_depthwise_norm(const torch::Tensor& x,
                                       const torch::Tensor& kernel,
                                       const torch::Tensor& bias,
                                       const torch::Tensor& scale,
                                       const torch::Tensor& shift);

}  // namespace myxtts::model
