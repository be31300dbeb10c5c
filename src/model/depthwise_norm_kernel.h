// CPU kernels of a depthwise convolution fused with layer normalisation, forward and backward.
//
// Memory is channel-last: [L, D] per row, L positions of D channels, K taps. Fusion keeps a
// position in the cache instead of reading memory several times. Every function works on a range of
// positions, so that threads can share a row; it overwrites its sums, which cover this range only.
// Values are float32 or bfloat16; sums, taps, scales and shifts are float32. Buffers do not
// overlap.
#pragma once

#include "model/vector_loops.h"

namespace myxtts::model {

struct RowSizes {
  std::int64_t positions = 0;  // L
  std::int64_t channels = 0;   // D
  std::int64_t taps = 0;       // K, odd
};

constexpr float kNormEpsilon = 1e-5F;

// c(l, d) = bias(d) + sum over k of taps(k, d) * x(l + k - K / 2, d), zero-padded;
// normed = (c - mean) * inverse_std over the channels of a position; y = normed * scale + shift.
template <typename Value>
struct DepthwiseNorm {
  const Value* x = nullptr;      // [L, D]
  const float* taps = nullptr;   // [K, D]
  const float* bias = nullptr;   // [D]
  const float* scale = nullptr;  // [D]
  const float* shift = nullptr;  // [D]
  Value* normed = nullptr;       // [L, D], written
  float* inverse_std = nullptr;  // [L], written
  Value* y = nullptr;            // [L, D], written
};
void run(const DepthwiseNorm<float>& work, const RowSizes& sizes, Range positions);
void run(const DepthwiseNorm<Bfloat16>& work, const RowSizes& sizes, Range positions);

// Computes the gradient of c from that of y, and the range's part of the gradients of scale and
// shift.
template <typename Value>
struct NormGradient {
  const Value* y_gradient = nullptr;   // [L, D]
  const Value* normed = nullptr;       // [L, D]
  const float* inverse_std = nullptr;  // [L]
  const float* scale = nullptr;        // [D]
  Value* c_gradient = nullptr;         // [L, D], written
  float* scale_sums = nullptr;         // [D], written
  float* shift_sums = nullptr;         // [D], written
};
void run(const NormGradient<float>& work, const RowSizes& sizes, Range positions);
void run(const NormGradient<Bfloat16>& work, const RowSizes& sizes, Range positions);

// Computes the gradient of x from that of c, and the range's part of the gradients of taps and
// bias.
template <typename Value>
struct DepthwiseGradient {
  const Value* x = nullptr;           // [L, D]
  const Value* c_gradient = nullptr;  // [L, D]
  const float* taps = nullptr;        // [K, D]
  Value* x_gradient = nullptr;        // [L, D], written
  float* tap_sums = nullptr;          // [K, D], written
  float* bias_sums = nullptr;         // [D], written
};
void run(const DepthwiseGradient<float>& work, const RowSizes& sizes, Range positions);
void run(const DepthwiseGradient<Bfloat16>& work, const RowSizes& sizes, Range positions);

}  // namespace myxtts::model
