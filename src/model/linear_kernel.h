// What surrounds the matrix product of a linear layer, [N, D] each, in one pass: bias and
// activation, or bias, mask and residual, and on the way back the sums that are the bias's
// gradient.
//
// Every function works on a range of rows, so that threads can share a matrix; sums are of that
// range alone and overwrite. Values are float32 or bfloat16; sums and biases are float32.
#pragma once

#include "model/vector_loops.h"

namespace xtts::model {

// y = gelu(x + bias), by its approximation with tanh. x becomes the slope there: all that the way
// back needs.
template <typename Value>
struct Gelu {
  Value* x = nullptr;           // [N, D]
  const float* bias = nullptr;  // [D]
  Value* y = nullptr;           // [N, D], written
};
void run(const Gelu<float>& work, std::int64_t channels, Range rows);
void run(const Gelu<Bfloat16>& work, std::int64_t channels, Range rows);

// x = gelu(x + bias), the same values, where nobody will ask for a slope.
template <typename Value>
struct GeluInPlace {
  Value* x = nullptr;           // [N, D]
  const float* bias = nullptr;  // [D]
};
void run(const GeluInPlace<float>& work, std::int64_t channels, Range rows);
void run(const GeluInPlace<Bfloat16>& work, std::int64_t channels, Range rows);

// product = gradient * slope, and its sums over the rows.
template <typename Value>
struct GeluGradient {
  const Value* gradient = nullptr;  // [N, D]
  const Value* slope = nullptr;     // [N, D]
  Value* product = nullptr;         // [N, D], written
  float* sums = nullptr;            // [D], written
};
void run(const GeluGradient<float>& work, std::int64_t channels, Range rows);
void run(const GeluGradient<Bfloat16>& work, std::int64_t channels, Range rows);

// y = x + (y + bias) * mask
template <typename Value>
struct Residual {
  const Value* x = nullptr;     // [N, D]
  const float* bias = nullptr;  // [D]
  const Value* mask = nullptr;  // [N]
  Value* y = nullptr;           // [N, D]
};
void run(const Residual<float>& work, std::int64_t channels, Range rows);
void run(const Residual<Bfloat16>& work, std::int64_t channels, Range rows);

// masked = gradient * mask, and its sums over the rows.
template <typename Value>
struct ResidualGradient {
  const Value* gradient = nullptr;  // [N, D]
  const Value* mask = nullptr;      // [N]
  Value* masked = nullptr;          // [N, D], written
  float* sums = nullptr;            // [D], written
};
void run(const ResidualGradient<float>& work, std::int64_t channels, Range rows);
void run(const ResidualGradient<Bfloat16>& work, std::int64_t channels, Range rows);

}  // namespace xtts::model
