#include "model/linear_kernel.h"

#include <algorithm>

namespace myxtts::model {
namespace {

// Returns e^x to about one unit in the last place, after Cephes' expf, with x clamped to +-80.
// Without this limit float32 reaches e^87, where products with 1 / (1 + e) are denormal. Intel
// processors take over a hundred cycles for each of them, which made the pass seven times slower.
MYXTTS_INLINE float exponential(float x) {
  constexpr float kLargest = 80.0F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest integer
  x = x < -kLargest ? -kLargest : x;
  x = x > kLargest ? kLargest : x;
  const float shifted = x * 1.44269504F + kRound;
  const float power = shifted - kRound;
  const float rest = (x - power * 0.693359375F) + power * 2.12194440e-4F;
  float sum = 1.9875691500e-4F;
  sum = sum * rest + 1.3981999507e-3F;
  sum = sum * rest + 8.3334519073e-3F;
  sum = sum * rest + 4.1665795894e-2F;
  sum = sum * rest + 1.6666665459e-1F;
  sum = sum * rest + 5.0000001201e-1F;
  sum = sum * rest * rest + rest + 1.0F;
  // Moves the integer from the low bits of `shifted` into the exponent.
  return sum * std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << 23U) + 0x3F800000U);
}

// gelu(v) = v * s, s = 1 / (1 + e) with e = exp(-w), w = 2 sqrt(2 / pi) (v + 0.044715 v^3): half of
// 1 + tanh(w / 2) is s. The derivative is s + v * s * (1 - s) * w', and s * (1 - s) = e * s * s.
constexpr float kFirst = 1.5957691216F;
constexpr float kThird = 0.044715F * kFirst;

struct GeluParts {
  float e = 0.0F;
  float s = 0.0F;
};

// The last factor of e is a power of two, so s does not depend on whether the compiler fuses the
// multiplication with the addition.
MYXTTS_INLINE GeluParts gelu_parts(float v) {
  const float e = exponential(-v * (kFirst + kThird * (v * v)));
  return {.e = e, .s = 1.0F / (1.0F + e)};
}

template <typename Value>
MYXTTS_INLINE void gelu(const Gelu<Value>& work, std::int64_t channels, Range rows) {
  const float* __restrict bias = work.bias;
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    Value* __restrict x = work.x + i * channels;
    Value* __restrict y = work.y + i * channels;
    for (std::int64_t d = 0; d < channels; ++d) {
      const float v = as_float(x[d]) + bias[d];
      const auto [e, s] = gelu_parts(v);
      store(v * s, y[d]);
      store(s + v * (e * s) * s * (kFirst + 3.0F * kThird * (v * v)), x[d]);
    }
  }
}

template <typename Value>
MYXTTS_INLINE void gelu_in_place(const GeluInPlace<Value>& work,
                                 std::int64_t channels,
                                 Range rows) {
  const float* __restrict bias = work.bias;
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    Value* __restrict x = work.x + i * channels;
    for (std::int64_t d = 0; d < channels; ++d) {
      const float v = as_float(x[d]) + bias[d];
      store(v * gelu_parts(v).s, x[d]);
    }
  }
}

// Computes product = gradient * factor and its sums over the rows. `factor_of(i)` returns the
// factors of row i by channel.
template <typename Value, typename FactorOf>
MYXTTS_INLINE void scale_and_sum(const Value* all_gradients,
                                 const FactorOf& factor_of,
                                 Value* all_products,
                                 float* all_sums,
                                 std::int64_t channels,
                                 Range rows) {
  float* __restrict sums = all_sums;
  std::fill_n(sums, channels, 0.0F);
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    const Value* __restrict gradient = all_gradients + i * channels;
    Value* __restrict product = all_products + i * channels;
    const auto factor = factor_of(i);
    for (std::int64_t d = 0; d < channels; ++d) {
      const float value = as_float(gradient[d]) * factor(d);
      store(value, product[d]);
      sums[d] += value;
    }
  }
}

template <typename Value>
MYXTTS_INLINE void gelu_gradient(const GeluGradient<Value>& work,
                                 std::int64_t channels,
                                 Range rows) {
  const auto derivative_of = [&work, channels](std::int64_t i) {
    const Value* __restrict derivative = work.derivative + i * channels;
    return [derivative](std::int64_t d) { return as_float(derivative[d]); };
  };
  scale_and_sum(work.gradient, derivative_of, work.product, work.sums, channels, rows);
}

template <typename Value>
MYXTTS_INLINE void add_masked(const Residual<Value>& work, std::int64_t channels, Range rows) {
  const float* __restrict bias = work.bias;
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    const float mask = as_float(work.mask[i]);
    const Value* __restrict x = work.x + i * channels;
    Value* __restrict y = work.y + i * channels;
    for (std::int64_t d = 0; d < channels; ++d)
      store(as_float(x[d]) + (as_float(y[d]) + bias[d]) * mask, y[d]);
  }
}

template <typename Value>
MYXTTS_INLINE void masked_gradient(const ResidualGradient<Value>& work,
                                   std::int64_t channels,
                                   Range rows) {
  const auto mask_of = [&work](std::int64_t i) {
    return [mask = as_float(work.mask[i])](std::int64_t) { return mask; };
  };
  scale_and_sum(work.gradient, mask_of, work.masked, work.sums, channels, rows);
}

}  // namespace

MYXTTS_CLONES void run(const Gelu<float>& work, std::int64_t channels, Range rows) {
  gelu(work, channels, rows);
}

MYXTTS_CLONES void run(const Gelu<Bfloat16>& work, std::int64_t channels, Range rows) {
  gelu(work, channels, rows);
}

MYXTTS_CLONES void run(const GeluInPlace<float>& work, std::int64_t channels, Range rows) {
  gelu_in_place(work, channels, rows);
}

MYXTTS_CLONES void run(const GeluInPlace<Bfloat16>& work, std::int64_t channels, Range rows) {
  gelu_in_place(work, channels, rows);
}

MYXTTS_CLONES void run(const GeluGradient<float>& work, std::int64_t channels, Range rows) {
  gelu_gradient(work, channels, rows);
}

MYXTTS_CLONES void run(const GeluGradient<Bfloat16>& work, std::int64_t channels, Range rows) {
  gelu_gradient(work, channels, rows);
}

MYXTTS_CLONES void run(const Residual<float>& work, std::int64_t channels, Range rows) {
  add_masked(work, channels, rows);
}

MYXTTS_CLONES void run(const Residual<Bfloat16>& work, std::int64_t channels, Range rows) {
  add_masked(work, channels, rows);
}

MYXTTS_CLONES void run(const ResidualGradient<float>& work, std::int64_t channels, Range rows) {
  masked_gradient(work, channels, rows);
}

MYXTTS_CLONES void run(const ResidualGradient<Bfloat16>& work, std::int64_t channels, Range rows) {
  masked_gradient(work, channels, rows);
}

}  // namespace myxtts::model
