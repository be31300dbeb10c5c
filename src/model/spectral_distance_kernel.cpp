#include "model/spectral_distance_kernel.h"

#include <cmath>

namespace myxtts::model {
namespace {

constexpr float kFloorSquared = kMagnitudeFloor * kMagnitudeFloor;
constexpr float kSquaredEpsilon = 1e-30F;  // avoids a division by zero

// Natural logarithm of normal numbers to about one unit in the last place, after Cephes' logf.
MYXTTS_INLINE float logarithm(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  float power = static_cast<float>(static_cast<std::int32_t>(bits >> 23U) - 126);
  const float half = std::bit_cast<float>((bits & 0x7FFFFFU) | 0x3F000000U);  // [0.5, 1)
  const bool is_small = half < 0.707106781F;
  power = is_small ? power - 1.0F : power;
  const float m = (is_small ? half + half : half) - 1.0F;
  float sum = 7.0376836292e-2F;
  sum = sum * m - 1.1514610310e-1F;
  sum = sum * m + 1.1676998740e-1F;
  sum = sum * m - 1.2420140846e-1F;
  sum = sum * m + 1.4249322787e-1F;
  sum = sum * m - 1.6668057665e-1F;
  sum = sum * m + 2.0000714765e-1F;
  sum = sum * m - 2.4999993993e-1F;
  sum = sum * m + 3.3333331174e-1F;
  const float square = m * m;
  float y = sum * m * square + power * -2.12194440e-4F;
  y -= 0.5F * square;
  return m + y + power * 0.693359375F;
}

MYXTTS_INLINE float magnitude(float x) {
  return x < 0.0F ? -x : x;
}

MYXTTS_INLINE float sign(float x) {
  const float positive = x > 0.0F ? 1.0F : 0.0F;
  return x < 0.0F ? -1.0F : positive;
}

MYXTTS_INLINE float squared(const float* bin) {
  return bin[0] * bin[0] + bin[1] * bin[1];
}

MYXTTS_INLINE float floored(float square) {
  return square > kFloorSquared ? square : kFloorSquared;
}

}  // namespace

MYXTTS_CLONES void run(const SpectralDistance& work, std::int64_t bins, Range frames) {
  SpectralSums sums;
  for (std::int64_t m = frames.begin; m < frames.end; ++m) {
    const float* __restrict p = work.predicted + m * bins * 2;
    const float* __restrict r = work.recorded + m * bins * 2;
    // log(a / b) = 0.5 * log(a^2 / b^2)
    sums.log_magnitude +=
        0.5 * double{sum_of(bins, [p, r](std::int64_t i) {
          return magnitude(logarithm(floored(squared(p + 2 * i)) / floored(squared(r + 2 * i))));
        })};
    sums.difference += sum_of(bins, [p, r](std::int64_t i) {
      const float difference = std::sqrt(squared(p + 2 * i)) - std::sqrt(squared(r + 2 * i));
      return difference * difference;
    });
    sums.recorded += sum_of(bins, [r](std::int64_t i) { return squared(r + 2 * i); });
    sums.complex += sum_of(2 * bins, [p, r](std::int64_t i) { return magnitude(p[i] - r[i]); });
  }
  *work.sums = sums;
}

MYXTTS_CLONES void run(const SpectralGradient& work, std::int64_t bins, Range frames) {
  const float log_magnitude_weight = work.log_magnitude_weight;
  const float difference_weight = work.difference_weight;
  const float complex_weight = work.complex_weight;
  for (std::int64_t m = frames.begin; m < frames.end; ++m) {
    const float* __restrict p = work.predicted + m * bins * 2;
    const float* __restrict r = work.recorded + m * bins * 2;
    float* __restrict gradient = work.gradient + m * bins * 2;
    for (std::int64_t i = 0; i < bins; ++i) {
      const float real = p[2 * i];
      const float imaginary = p[2 * i + 1];
      const float square = real * real + imaginary * imaginary;
      const float target = r[2 * i] * r[2 * i] + r[2 * i + 1] * r[2 * i + 1];
      const float inverse = 1.0F / std::sqrt(square + kSquaredEpsilon);
      const float direction = sign(square - floored(target));
      const float logarithmic = square > kFloorSquared ? log_magnitude_weight * direction : 0.0F;
      const float factor = logarithmic * inverse * inverse +
                           difference_weight * (1.0F - std::sqrt(target) * inverse);
      gradient[2 * i] = real * factor + complex_weight * sign(real - r[2 * i]);
      gradient[2 * i + 1] = imaginary * factor + complex_weight * sign(imaginary - r[2 * i + 1]);
    }
  }
}

}  // namespace myxtts::model
