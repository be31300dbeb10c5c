#include "model/depthwise_kernel.h"

#include <algorithm>
#include <bit>

// Compiled for each of these instruction sets; the best one that the machine has is chosen when the
// program loads.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define XTTS_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define XTTS_CLONES
#endif

namespace xtts::model {
namespace {

// Channels that stay in registers while all positions go by.
constexpr std::int64_t kBlock = 64;

inline float as_float(float value) {
  return value;
}

inline float as_float(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

inline void store(float value, float& place) {
  place = value;
}

// To the nearest bfloat16, ties to even. Not for NaN with a small payload, which becomes infinite:
// both are found by the finite check.
inline void store(float value, std::uint16_t& place) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  place = static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

// One position: acc(d) += weights(k, d) * x(d) for the taps inside the row, then y(d).
template <typename Value>
inline __attribute__((always_inline)) void row(
    const Value* x, const float* weights, const float* bias, DepthwiseSizes sizes, Value* y) {
  const std::int64_t reach = sizes.taps / 2;
  for (std::int64_t first = 0; first < sizes.channels; first += kBlock) {
    const std::int64_t width = std::min(kBlock, sizes.channels - first);
    for (std::int64_t l = 0; l < sizes.positions; ++l) {
      float sums[kBlock];
      for (std::int64_t d = 0; d < width; ++d)
        sums[d] = bias == nullptr ? 0.0F : bias[first + d];
      const std::int64_t begin = std::max<std::int64_t>(0, reach - l);
      const std::int64_t end = std::min(sizes.taps, sizes.positions - l + reach);
      for (std::int64_t k = begin; k < end; ++k) {
        const Value* there = x + (l + k - reach) * sizes.channels + first;
        const float* weight = weights + k * sizes.channels + first;
        for (std::int64_t d = 0; d < width; ++d)
          sums[d] += weight[d] * as_float(there[d]);
      }
      Value* here = y + l * sizes.channels + first;
      for (std::int64_t d = 0; d < width; ++d)
        store(sums[d], here[d]);
    }
  }
}

template <typename Value>
inline __attribute__((always_inline)) void weight_sums_of(const Value* x,
                                                          const Value* gradient,
                                                          DepthwiseSizes sizes,
                                                          float* weight_sums,
                                                          float* bias_sums) {
  const std::int64_t reach = sizes.taps / 2;
  for (std::int64_t first = 0; first < sizes.channels; first += kBlock) {
    const std::int64_t width = std::min(kBlock, sizes.channels - first);
    float sums[kBlock] = {};
    for (std::int64_t l = 0; l < sizes.positions; ++l)
      for (std::int64_t d = 0; d < width; ++d)
        sums[d] += as_float(gradient[l * sizes.channels + first + d]);
    std::copy_n(sums, width, bias_sums + first);
    for (std::int64_t k = 0; k < sizes.taps; ++k) {
      std::fill_n(sums, width, 0.0F);
      const std::int64_t begin = std::max<std::int64_t>(0, reach - k);
      const std::int64_t end = std::min(sizes.positions, sizes.positions + reach - k);
      for (std::int64_t l = begin; l < end; ++l) {
        const Value* there = x + (l + k - reach) * sizes.channels + first;
        const Value* here = gradient + l * sizes.channels + first;
        for (std::int64_t d = 0; d < width; ++d)
          sums[d] += as_float(here[d]) * as_float(there[d]);
      }
      std::copy_n(sums, width, weight_sums + k * sizes.channels + first);
    }
  }
}

}  // namespace

XTTS_CLONES void depthwise_row(
    const float* x, const float* weights, const float* bias, DepthwiseSizes sizes, float* y) {
  row(x, weights, bias, sizes, y);
}

XTTS_CLONES void depthwise_row(const std::uint16_t* x,
                               const float* weights,
                               const float* bias,
                               DepthwiseSizes sizes,
                               std::uint16_t* y) {
  row(x, weights, bias, sizes, y);
}

XTTS_CLONES void depthwise_weight_sums(const float* x,
                                       const float* gradient,
                                       DepthwiseSizes sizes,
                                       float* weight_sums,
                                       float* bias_sums) {
  weight_sums_of(x, gradient, sizes, weight_sums, bias_sums);
}

XTTS_CLONES void depthwise_weight_sums(const std::uint16_t* x,
                                       const std::uint16_t* gradient,
                                       DepthwiseSizes sizes,
                                       float* weight_sums,
                                       float* bias_sums) {
  weight_sums_of(x, gradient, sizes, weight_sums, bias_sums);
}

}  // namespace xtts::model
