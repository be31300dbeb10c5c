#include "model/depthwise_kernel.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace xtts::model {
namespace {

std::uint16_t as_bfloat16(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
}

double as_double(float value) {
  return value;
}

double as_double(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

template <typename Value>
std::vector<Value> random_values(std::int64_t count, base::Random& random) {
  std::vector<Value> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(2.0 * random.unit() - 1.0);
    if constexpr (std::is_same_v<Value, float>) {
      values.push_back(value);
    } else {
      values.push_back(as_bfloat16(value));
    }
  }
  return values;
}

// The formulas of the header in double precision; x(l, d) is 0 outside.
template <typename Value>
class Formulas {
 public:
  Formulas(const std::vector<Value>& x, DepthwiseSizes sizes) : x_(x), sizes_(sizes) {}

  double row(const std::vector<float>& weights,
             const std::vector<float>& bias,
             std::int64_t l,
             std::int64_t d) const {
    double sum = bias.empty() ? 0.0 : bias[static_cast<std::size_t>(d)];
    for (std::int64_t k = 0; k < sizes_.taps; ++k)
      sum += weights[index(k, d)] * at(x_, l + k - sizes_.taps / 2, d);
    return sum;
  }

  double weight_sum(const std::vector<Value>& gradient, std::int64_t k, std::int64_t d) const {
    double sum = 0.0;
    for (std::int64_t l = 0; l < sizes_.positions; ++l)
      sum += at(gradient, l, d) * at(x_, l + k - sizes_.taps / 2, d);
    return sum;
  }

  double bias_sum(const std::vector<Value>& gradient, std::int64_t d) const {
    double sum = 0.0;
    for (std::int64_t l = 0; l < sizes_.positions; ++l)
      sum += at(gradient, l, d);
    return sum;
  }

  std::size_t index(std::int64_t place, std::int64_t d) const {
    return static_cast<std::size_t>(place * sizes_.channels + d);
  }

 private:
  double at(const std::vector<Value>& values, std::int64_t l, std::int64_t d) const {
    return l < 0 || l >= sizes_.positions ? 0.0 : as_double(values[index(l, d)]);
  }

  const std::vector<Value>& x_;
  DepthwiseSizes sizes_;
};

// Rows shorter than the kernel, channels around the width of a block.
std::vector<DepthwiseSizes> all_sizes() {
  std::vector<DepthwiseSizes> all;
  for (const std::int64_t positions : {1, 2, 3, 4, 7, 20})
    for (const std::int64_t channels : {1, 3, 63, 64, 65, 130})
      for (const std::int64_t taps : {1, 3, 7})
        all.push_back({positions, channels, taps});
  return all;
}

std::string name_of(DepthwiseSizes sizes) {
  return fmt::format(
      "{} positions, {} channels, {} taps", sizes.positions, sizes.channels, sizes.taps);
}

// `rounding`: of a stored value of size 1.
template <typename Value>
void expect_rows(DepthwiseSizes sizes, double rounding) {
  base::Random random(5);
  const std::vector<Value> x = random_values<Value>(sizes.positions * sizes.channels, random);
  const std::vector<float> weights = random_values<float>(sizes.taps * sizes.channels, random);
  const std::vector<float> bias = random_values<float>(sizes.channels, random);
  const Formulas<Value> formulas(x, sizes);
  std::vector<Value> y(x.size());
  std::vector<Value> without_bias(x.size());

  depthwise_row(x.data(), weights.data(), bias.data(), sizes, y.data());
  depthwise_row(x.data(), weights.data(), nullptr, sizes, without_bias.data());

  for (std::int64_t l = 0; l < sizes.positions; ++l) {
    for (std::int64_t d = 0; d < sizes.channels; ++d) {
      const double expected = formulas.row(weights, bias, l, d);
      ASSERT_NEAR(
          as_double(y[formulas.index(l, d)]), expected, 1e-6 + rounding * std::abs(expected))
          << name_of(sizes);
      const double bare = formulas.row(weights, {}, l, d);
      ASSERT_NEAR(
          as_double(without_bias[formulas.index(l, d)]), bare, 1e-6 + rounding * std::abs(bare))
          << name_of(sizes);
    }
  }
}

template <typename Value>
void expect_weight_sums(DepthwiseSizes sizes) {
  base::Random random(6);
  const std::vector<Value> x = random_values<Value>(sizes.positions * sizes.channels, random);
  const std::vector<Value> slope = random_values<Value>(sizes.positions * sizes.channels, random);
  const Formulas<Value> formulas(x, sizes);
  // What stands there before is overwritten.
  std::vector<float> weight_sums(static_cast<std::size_t>(sizes.taps * sizes.channels), 7.0F);
  std::vector<float> bias_sums(static_cast<std::size_t>(sizes.channels), 7.0F);

  depthwise_weight_sums(x.data(), slope.data(), sizes, weight_sums.data(), bias_sums.data());

  for (std::int64_t d = 0; d < sizes.channels; ++d) {
    ASSERT_NEAR(bias_sums[formulas.index(0, d)], formulas.bias_sum(slope, d), 1e-5)
        << name_of(sizes);
    for (std::int64_t k = 0; k < sizes.taps; ++k)
      ASSERT_NEAR(weight_sums[formulas.index(k, d)], formulas.weight_sum(slope, k, d), 1e-5)
          << name_of(sizes) << ", tap " << k;
  }
}

TEST(DepthwiseKernel, ARowIsTheFormulaInFloat) {
  for (const DepthwiseSizes sizes : all_sizes())
    expect_rows<float>(sizes, 1e-6);
}

TEST(DepthwiseKernel, ARowInBfloatIsRoundedOnce) {
  for (const DepthwiseSizes sizes : all_sizes())
    expect_rows<std::uint16_t>(sizes, 1.0 / 256.0);  // half of the last of 8 bits
}

TEST(DepthwiseKernel, WeightSumsAreTheFormula) {
  for (const DepthwiseSizes sizes : all_sizes()) {
    expect_weight_sums<float>(sizes);
    expect_weight_sums<std::uint16_t>(sizes);
  }
}

// The finite check of the step must see it.
TEST(DepthwiseKernel, WhatIsNotFiniteStaysSo) {
  const DepthwiseSizes sizes{.positions = 1, .channels = 3, .taps = 1};
  const std::vector<float> bad = {std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity()};
  const std::vector<float> ones(3, 1.0F);
  std::vector<std::uint16_t> x;
  for (const float value : bad)
    x.push_back(as_bfloat16(value));
  std::vector<std::uint16_t> y(3);

  depthwise_row(x.data(), ones.data(), nullptr, sizes, y.data());

  EXPECT_TRUE(std::isnan(as_double(y[0])));
  EXPECT_EQ(as_double(y[1]), std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double(y[2]), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace xtts::model
