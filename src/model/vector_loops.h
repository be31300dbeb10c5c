// For the kernels of the model: loops over channels, innermost and without branches, that the
// compiler turns into vector instructions, compiled once for each instruction set.
#pragma once

#include <bit>
#include <cstdint>

// Compiled for each of these; the best one that the machine has is chosen when the program loads.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define XTTS_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define XTTS_CLONES
#endif
// A clone uses its instructions only in what is inlined into it.
#define XTTS_INLINE inline __attribute__((always_inline))

namespace xtts::model {

// The upper half of a float32.
using Bfloat16 = std::uint16_t;

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// Channels whose sums stay in registers.
constexpr std::int64_t kLanes = 16;

XTTS_INLINE float as_float(float value) {
  return value;
}

XTTS_INLINE float as_float(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

XTTS_INLINE void store(float value, float& place) {
  place = value;
}

// To the nearest, ties to even. A NaN stays one: rounding it could carry over into the sign.
XTTS_INLINE void store(float value, Bfloat16& place) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
  const std::uint32_t quiet = (bits >> 16U) | 0x40U;
  const bool is_nan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
  place = static_cast<Bfloat16>(is_nan ? quiet : rounded);
}

// Sum over i of term(i), in lanes: the compiler may not change the order of a sum by itself.
template <typename Term>
XTTS_INLINE float sum_of(std::int64_t count, const Term& term) {
  float lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += term(i + lane);
  float sum = 0.0F;
  for (; i < count; ++i)
    sum += term(i);
  for (const float lane : lanes)
    sum += lane;
  return sum;
}

// part(d, width) for all channels: kLanes at a time, as a constant, then the rest.
template <typename Part>
XTTS_INLINE void in_lanes(std::int64_t channels, const Part& part) {
  std::int64_t d = 0;
  for (; d + kLanes <= channels; d += kLanes)
    part(d, kLanes);
  if (d < channels) part(d, channels - d);
}

}  // namespace xtts::model
