// The arithmetic of a depthwise convolution over channel-last memory, [L, D] of one row. Sums are
// in float32; values are float32 or bfloat16 (the upper half of a float32).
#pragma once

#include <cstdint>

namespace xtts::model {

// y(l, d) = bias(d) + sum over k of weights(k, d) * x(l + k - K / 2, d), zeros outside.
// weights [K, D] and bias [D] are float32; bias may be null. x and y must not overlap.
struct DepthwiseSizes {
  std::int64_t positions = 0;  // L
  std::int64_t channels = 0;   // D
  std::int64_t taps = 0;       // K, odd
};

void depthwise_row(
    const float* x, const float* weights, const float* bias, DepthwiseSizes sizes, float* y);
void depthwise_row(const std::uint16_t* x,
                   const float* weights,
                   const float* bias,
                   DepthwiseSizes sizes,
                   std::uint16_t* y);

// The gradient of the weights and of the bias that one row adds: weight_sums(k, d) = sum over l of
// gradient(l, d) * x(l + k - K / 2, d); bias_sums(d) = sum over l of gradient(l, d). Overwrites.
void depthwise_weight_sums(const float* x,
                           const float* gradient,
                           DepthwiseSizes sizes,
                           float* weight_sums,
                           float* bias_sums);
void depthwise_weight_sums(const std::uint16_t* x,
                           const std::uint16_t* gradient,
                           DepthwiseSizes sizes,
                           float* weight_sums,
                           float* bias_sums);

}  // namespace xtts::model
