#include "model/depthwise_norm_kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace myxtts::model {
namespace {

// Filter taps in the order of ascending positions.
struct Taps {
  const float* first = nullptr;  // [D]
  std::int64_t stride = 0;       // to the next one
};

// Computes to(d) = sum over k of tap(k, d) * x(l + k - K / 2, d) for position l.
template <typename Value>
MYXTTS_INLINE void convolve(
    const Value* x, Taps taps, const RowSizes& sizes, std::int64_t l, float* to) {
  const std::int64_t reach = sizes.taps / 2;
  const std::int64_t begin = std::max<std::int64_t>(0, reach - l);
  const std::int64_t end = std::min(sizes.taps, sizes.positions - l + reach);
  for_each_lane_block(sizes.channels, [&](std::int64_t d, std::int64_t width) {
    float sums[kLanes] = {};
    for (std::int64_t k = begin; k < end; ++k) {
      const Value* there = x + (l + k - reach) * sizes.channels + d;
      const float* tap = taps.first + k * taps.stride + d;
      for (std::int64_t j = 0; j < width; ++j)
        sums[j] += tap[j] * as_float(there[j]);
    }
    for (std::int64_t j = 0; j < width; ++j)
      to[d + j] = sums[j];
  });
}

template <typename Value>
MYXTTS_INLINE void depthwise_norm(const DepthwiseNorm<Value>& work,
                                  const RowSizes& sizes,
                                  Range positions,
                                  float* sums) {
  const std::int64_t channels = sizes.channels;
  const float share = 1.0F / static_cast<float>(channels);
  const float* bias = work.bias;
  const float* scale = work.scale;
  const float* shift = work.shift;
  for (std::int64_t l = positions.begin; l < positions.end; ++l) {
    convolve(work.x, {.first = work.taps, .stride = channels}, sizes, l, sums);
    for (std::int64_t d = 0; d < channels; ++d)
      sums[d] += bias[d];
    const float mean = share * sum_of(channels, [&](std::int64_t d) { return sums[d]; });
    const float variance = share * sum_of(channels, [&](std::int64_t d) {
                             return (sums[d] - mean) * (sums[d] - mean);
                           });
    const float inverse = 1.0F / std::sqrt(variance + kNormEpsilon);
    work.inverse_std[l] = inverse;
    Value* __restrict normed = work.normed + l * channels;
    Value* __restrict y = work.y + l * channels;
    for (std::int64_t d = 0; d < channels; ++d) {
      const float value = (sums[d] - mean) * inverse;
      store(value, normed[d]);
      store(value * scale[d] + shift[d], y[d]);
    }
  }
}

template <typename Value>
MYXTTS_INLINE void norm_gradient(const NormGradient<Value>& work,
                                 const RowSizes& sizes,
                                 Range positions) {
  const std::int64_t channels = sizes.channels;
  const float share = 1.0F / static_cast<float>(channels);
  const float* scale = work.scale;
  float* __restrict scale_sums = work.scale_sums;
  float* __restrict shift_sums = work.shift_sums;
  std::fill_n(scale_sums, channels, 0.0F);
  std::fill_n(shift_sums, channels, 0.0F);
  for (std::int64_t l = positions.begin; l < positions.end; ++l) {
    const Value* gradient = work.y_gradient + l * channels;
    const Value* normed = work.normed + l * channels;
    Value* __restrict to = work.c_gradient + l * channels;
    const float mean =
        share * sum_of(channels, [&](std::int64_t d) { return as_float(gradient[d]) * scale[d]; });
    const float along = share * sum_of(channels, [&](std::int64_t d) {
                          return as_float(gradient[d]) * scale[d] * as_float(normed[d]);
                        });
    const float inverse = work.inverse_std[l];
    for (std::int64_t d = 0; d < channels; ++d) {
      const float value = as_float(normed[d]);
      const float given = as_float(gradient[d]);
      store(inverse * (given * scale[d] - mean - value * along), to[d]);
      scale_sums[d] += given * value;
      shift_sums[d] += given;
    }
  }
}

template <typename Value>
MYXTTS_INLINE void sum_taps(const DepthwiseGradient<Value>& work,
                            const RowSizes& sizes,
                            Range positions) {
  const std::int64_t reach = sizes.taps / 2;
  const std::int64_t channels = sizes.channels;
  for_each_lane_block(channels, [&](std::int64_t d, std::int64_t width) {
    for (std::int64_t k = 0; k < sizes.taps; ++k) {
      float sums[kLanes] = {};
      const std::int64_t begin = std::max(positions.begin, reach - k);
      const std::int64_t end = std::min(positions.end, sizes.positions + reach - k);
      for (std::int64_t l = begin; l < end; ++l) {
        const Value* there = work.x + (l + k - reach) * channels + d;
        const Value* here = work.c_gradient + l * channels + d;
        for (std::int64_t j = 0; j < width; ++j)
          sums[j] += as_float(here[j]) * as_float(there[j]);
      }
      std::copy_n(sums, width, work.tap_sums + k * channels + d);
    }
    float sums[kLanes] = {};
    for (std::int64_t l = positions.begin; l < positions.end; ++l)
      for (std::int64_t j = 0; j < width; ++j)
        sums[j] += as_float(work.c_gradient[l * channels + d + j]);
    std::copy_n(sums, width, work.bias_sums + d);
  });
}

// The gradient of x is a convolution with the taps in reverse order.
template <typename Value>
MYXTTS_INLINE void depthwise_gradient(const DepthwiseGradient<Value>& work,
                                      const RowSizes& sizes,
                                      Range positions,
                                      float* sums) {
  const std::int64_t channels = sizes.channels;
  const Taps flipped{.first = work.taps + (sizes.taps - 1) * channels, .stride = -channels};
  for (std::int64_t l = positions.begin; l < positions.end; ++l) {
    Value* __restrict to = work.x_gradient + l * channels;
    convolve(work.c_gradient, flipped, sizes, l, sums);
    for (std::int64_t d = 0; d < channels; ++d)
      store(sums[d], to[d]);
  }
  sum_taps(work, sizes, positions);
}

std::vector<float> one_position(const RowSizes& sizes) {
  return std::vector<float>(static_cast<std::size_t>(sizes.channels));
}

}  // namespace

MYXTTS_CLONES void run(const DepthwiseNorm<float>& work, const RowSizes& sizes, Range positions) {
  depthwise_norm(work, sizes, positions, one_position(sizes).data());
}

MYXTTS_CLONES void run(const DepthwiseNorm<Bfloat16>& work,
                       const RowSizes& sizes,
                       Range positions) {
  depthwise_norm(work, sizes, positions, one_position(sizes).data());
}

MYXTTS_CLONES void run(const NormGradient<float>& work, const RowSizes& sizes, Range positions) {
  norm_gradient(work, sizes, positions);
}

MYXTTS_CLONES void run(const NormGradient<Bfloat16>& work, const RowSizes& sizes, Range positions) {
  norm_gradient(work, sizes, positions);
}

MYXTTS_CLONES void run(const DepthwiseGradient<float>& work,
                       const RowSizes& sizes,
                       Range positions) {
  depthwise_gradient(work, sizes, positions, one_position(sizes).data());
}

MYXTTS_CLONES void run(const DepthwiseGradient<Bfloat16>& work,
                       const RowSizes& sizes,
                       Range positions) {
  depthwise_gradient(work, sizes, positions, one_position(sizes).data());
}

}  // namespace myxtts::model
