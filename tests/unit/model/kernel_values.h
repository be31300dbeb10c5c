// Conversions and random values for kernel tests in float32, bfloat16 and double.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/random.h"
#include "model/vector_loops.h"

namespace myxtts::model {

inline double as_double(float value) {
  return value;
}

inline double as_double(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

template <typename Value>
Value as_value(float value) {
  if constexpr (std::is_same_v<Value, float>) {
    return value;
  } else {
    return static_cast<Bfloat16>(std::bit_cast<std::uint32_t>(value) >> 16U);
  }
}

// Relative rounding error of a stored value, including that of float32 sums.
template <typename Value>
constexpr double kRounding = std::is_same_v<Value, float> ? 2e-6 : 1.0 / 256.0;

// Returns uniform values in -1 .. 1.
template <typename Value>
std::vector<Value> random_row(std::int64_t count, base::Random& random) {
  std::vector<Value> values(static_cast<std::size_t>(count));
  for (Value& value : values)
    value = as_value<Value>(static_cast<float>(2.0 * random.unit() - 1.0));
  return values;
}

}  // namespace myxtts::model
