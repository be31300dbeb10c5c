// The arithmetic of a depthwise convolution with the norm behind it, on channel-last memory: [L, D]
// of one row, L positions of D channels, K taps. What would be several passes over memory is done
// while a position is in the cache.
//
// Every function works on a range of positions, so that threads can share a row; what it sums over
// positions is of that range alone and overwrites. Values are float32 or bfloat16; sums, taps,
// scales and shifts are float32. Nothing may overlap.
#pragma once

#include "model/vector_loops.h"

namespace xtts::model {

struct RowSizes {
  std::int64_t positions = 0;  // L
  std::int64_t channels = 0;   // D
  std::int64_t taps = 0;       // K, odd
};

constexpr float kNormEpsilon = 1e-5F;

// c(l, d) = bias(d) + sum over k of taps(k, d) * x(l + k - K / 2, d), zeros outside of the row;
// normed = (c - mean) * inverse_deviation over the channels of a position; y = normed * scale +
// shift.
template <typename Value>
struct DepthwiseNorm {
  const Value* x = nullptr;            // [L, D]
  const float* taps = nullptr;         // [K, D]
  const float* bias = nullptr;         // [D]
  const float* scale = nullptr;        // [D]
  const float* shift = nullptr;        // [D]
  Value* normed = nullptr;             // [L, D], written
  float* inverse_deviation = nullptr;  // [L], written
  Value* y = nullptr;                  // [L, D], written
};
void run(const DepthwiseNorm<float>& work, const RowSizes& sizes, Range positions);
void run(const DepthwiseNorm<Bfloat16>& work, const RowSizes& sizes, Range positions);

// From the gradient of y: that of c, and what the range adds to those of scale and shift.
template <typename Value>
struct NormGradient {
  const Value* y_gradient = nullptr;         // [L, D]
  const Value* normed = nullptr;             // [L, D]
  const float* inverse_deviation = nullptr;  // [L]
  const float* scale = nullptr;              // [D]
  Value* c_gradient = nullptr;               // [L, D], written
  float* scale_sums = nullptr;               // [D], written
  float* shift_sums = nullptr;               // [D], written
};
void run(const NormGradient<float>& work, const RowSizes& sizes, Range positions);
void run(const NormGradient<Bfloat16>& work, const RowSizes& sizes, Range positions);

// From the gradient of c: that of x, and what the range adds to those of the taps and their bias.
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

}  // namespace xtts::model
