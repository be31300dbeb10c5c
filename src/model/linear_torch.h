// Linear layers fused with the activation or the masked residual that follows them.
//
// On the CPU one pass over the product applies bias, activation, mask and residual, and one pass
// before the products of the backward computes the bias gradient; results of these passes do not
// depend on the number of threads. Other devices use the reference_ functions.
//
// x [..., in] float32 or bfloat16; weight [out, in] and bias [out] float32. A weight without
// gradient may have the type of x.
#pragma once

#include <torch/types.h>

namespace myxtts::model {

// gelu(linear(x)) with the tanh approximation -> [..., out] in the type of x
torch::Tensor linear_gelu(const torch::Tensor& x,
                          const torch::Tensor& weight,
                          const torch::Tensor& bias);
torch::Tensor reference_linear_gelu(const torch::Tensor& x,
                                    const torch::Tensor& weight,
                                    const torch::Tensor& bias);

// residual + linear(x) * mask. residual [B, L, out], x [B, L, in], mask [B or 1, L or 1, 1], all of
// one type; the mask has no gradient.
torch::Tensor linear_residual(const torch::Tensor& residual,
                              const torch::Tensor& x,
                              const torch::Tensor& weight,
                              const torch::Tensor& bias,
                              const torch::Tensor& mask);
torch::Tensor reference_linear_residual(const torch::Tensor& residual,
                                        const torch::Tensor& x,
                                        const torch::Tensor& weight,
                                        const torch::Tensor& bias,
                                        const torch::Tensor& mask);

}  // namespace myxtts::model
