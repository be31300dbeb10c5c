// CPU kernels around the matrix product of a linear layer: fused bias and GELU, or bias, mask and
// residual, and their backward passes with the gradient of the bias.
//
// Matrices are [N, D]. Every function works on a range of rows, so that threads can share a matrix;
// it overwrites its sums, which cover this range only. Values are float32 or bfloat16; sums and
// biases are float32.
#pragma once

#include "model/vector_loops.h"

namespace myxtts::model {

// y = gelu(x + bias) with the tanh approximation. Overwrites x with the derivative for the backward
// pass.
template <typename Value>
struct Gelu {
  Value* x = nullptr;           // [N, D]
  const float* bias = nullptr;  // [D]
  Value* y = nullptr;           // [N, D], written
};
void run(const Gelu<float>& work, std::int64_t channels, Range rows);
void run(const Gelu<Bfloat16>& work, std::int64_t channels, Range rows);

// x = gelu(x + bias) without the derivative. The values are bit-identical to those of Gelu.
template <typename Value>
struct GeluInPlace {
  Value* x = nullptr;           // [N, D]
  const float* bias = nullptr;  // [D]
};
void run(const GeluInPlace<float>& work, std::int64_t channels, Range rows);
void run(const GeluInPlace<Bfloat16>& work, std::int64_t channels, Range rows);

// product = gradient * derivative, and its sums over the rows.
template <typename Value>
struct GeluGradient {
  const Value* gradient = nullptr;    // [N, D]
  const Value* derivative = nullptr;  // [N, D]
  Value* product = nullptr;           // [N, D], written
  float* sums = nullptr;              // [D], written
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

}  // namespace myxtts::model
