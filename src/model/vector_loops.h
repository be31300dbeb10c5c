// Building blocks of vectorised CPU kernels: branch-free innermost loops over channels, compiled
// once per instruction set.
#pragma once

#include <bit>
#include <cstdint>

// Compiles a function for each of these instruction sets; the loader picks the best supported one.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define MYXTTS_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MYXTTS_CLONES
#endif
// Functions called by a clone must be inlined to use its instruction set.
#define MYXTTS_INLINE inline __attribute__((always_inline))

namespace myxtts::model {

// bfloat16 as the upper half of a float32.
using Bfloat16 = std::uint16_t;

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// Number of partial sums that stay in registers.
constexpr std::int64_t kLanes = 16;

MYXTTS_INLINE float as_float(float value) {
  return value;
}

MYXTTS_INLINE float as_float(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

MYXTTS_INLINE void store(float value, float& target) {
  target = value;
}

// Rounds to nearest, ties to even. Keeps NaN: rounding could carry into its sign bit.
MYXTTS_INLINE void store(float value, Bfloat16& target) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
  const std::uint32_t quiet = (bits >> 16U) | 0x40U;
  const bool is_nan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
  target = static_cast<Bfloat16>(is_nan ? quiet : rounded);
}

// Returns the sum of term(i) in kLanes partial sums, because the compiler may not reorder sums.
template <typename Term>
MYXTTS_INLINE float sum_of(std::int64_t count, const Term& term) {
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

// Calls part(d, width) for all channels: kLanes at a time (a compile-time constant), then the rest.
template <typename Part>
MYXTTS_INLINE void for_each_lane_block(std::int64_t channels, const Part& part) {
  std::int64_t d = 0;
  for (; d + kLanes <= channels; d += kLanes)
    part(d, kLanes);
  if (d < channels) part(d, channels - d);
}

}  // namespace myxtts::model
