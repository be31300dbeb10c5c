// Linear layers together with what follows them. On the CPU bias, activation, mask and residual are
// one pass over the product, and the bias's gradient comes out of the pass before the products of
// the way back; the number of threads changes no bit of these passes. By LibTorch on other devices.
//
// x [..., in] float32 or bfloat16; weight [out, in] and bias [out] float32. A weight that needs no
// gradient may be of x's type.
#pragma once

#include <torch/types.h>

namespace xtts::model {

// gelu(linear(x)), by the approximation with tanh -> [..., out] as x
torch::Tensor linear_gelu(const torch::Tensor& x,
                          const torch::Tensor& weight,
                          const torch::Tensor& bias);
torch::Tensor reference_linear_gelu(const torch::Tensor& x,
                                    const torch::Tensor& weight,
                                    const torch::Tensor& bias);

// before + linear(x) * mask. before [B, L, out], x [B, L, in], mask [B or 1, L or 1, 1], all of one
// type; the mask has no gradient.
torch::Tensor linear_residual(const torch::Tensor& before,
                              const torch::Tensor& x,
                              const torch::Tensor& weight,
                              const torch::Tensor& bias,
                              const torch::Tensor& mask);
torch::Tensor reference_linear_residual(const torch::Tensor& before,
                                        const torch::Tensor& x,
                                        const torch::Tensor& weight,
                                        const torch::Tensor& bias,
                                        const torch::Tensor& mask);

}  // namespace xtts::model
