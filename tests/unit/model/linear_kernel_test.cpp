#include "model/linear_kernel.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "unit/model/kernel_values.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kRows = 5;
constexpr std::int64_t kColumns = 21;

// Two ranges of rows, as threads use them.
constexpr Range kFirstRows{.begin = 0, .end = 2};
constexpr Range kOtherRows{.begin = 2, .end = kRows};

double gelu_of(double v) {
  const double inner = std::sqrt(2.0 / std::numbers::pi) * (v + 0.044715 * v * v * v);
  return 0.5 * v * (1.0 + std::tanh(inner));
}

double gelu_derivative_of(double v) {
  const double factor = std::sqrt(2.0 / std::numbers::pi);
  const double tanh = std::tanh(factor * (v + 0.044715 * v * v * v));
  return 0.5 * (1.0 + tanh) +
         0.5 * v * (1.0 - tanh * tanh) * factor * (1.0 + 3.0 * 0.044715 * v * v);
}

struct GeluAndDerivative {
  std::vector<float> y;
  std::vector<float> derivative;
};

GeluAndDerivative gelu_at(const std::vector<float>& points) {
  const std::vector<float> bias(points.size(), 0.0F);
  GeluAndDerivative found{.y = std::vector<float>(points.size()), .derivative = points};
  run(Gelu<float>{.x = found.derivative.data(), .bias = bias.data(), .y = found.y.data()},
      std::ssize(points),
      {.begin = 0, .end = 1});
  return found;
}

TEST(GeluKernel, ValueAndDerivativeMatchTheFormulas) {
  std::vector<float> points;
  for (int i = -12000; i <= 12000; ++i)
    points.push_back(static_cast<float>(i) / 1000.0F);

  const GeluAndDerivative found = gelu_at(points);

  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_NEAR(found.y[i], gelu_of(points[i]), 1e-6 + 2e-7 * std::abs(points[i])) << points[i];
    ASSERT_NEAR(found.derivative[i], gelu_derivative_of(points[i]), 2e-6) << points[i];
  }
}

TEST(GeluKernel, IsZeroOrTheIdentityForLargeInputs) {
  const GeluAndDerivative found = gelu_at({-1e4F, -100.0F, 100.0F, 1e4F});

  EXPECT_NEAR(found.y[0], 0.0, 1e-30);
  EXPECT_NEAR(found.derivative[0], 0.0, 1e-20);
  EXPECT_NEAR(found.y[1], 0.0, 1e-30);
  EXPECT_EQ(found.y[2], 100.0F);
  EXPECT_EQ(found.derivative[2], 1.0F);
  EXPECT_EQ(found.y[3], 1e4F);
  EXPECT_EQ(found.derivative[3], 1.0F);
}

// The finite check of the step relies on it.
TEST(GeluKernel, PropagatesValuesThatAreNotFinite) {
  const GeluAndDerivative found =
      gelu_at({std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()});

  EXPECT_TRUE(std::isnan(found.y[0]));
  EXPECT_TRUE(std::isnan(found.derivative[0]));
  EXPECT_FALSE(std::isfinite(found.y[1]));
}

template <typename Value>
void expect_bias_is_added() {
  base::Random random(3);
  const std::vector<Value> x = random_row<Value>(kRows * kColumns, random);
  const std::vector<float> bias = random_row<float>(kColumns, random);
  std::vector<Value> derivative = x;
  std::vector<Value> y(x.size());

  const Gelu<Value> work{.x = derivative.data(), .bias = bias.data(), .y = y.data()};
  run(work, kColumns, kFirstRows);
  run(work, kColumns, kOtherRows);

  std::vector<Value> in_place = x;
  const GeluInPlace<Value> alone{.x = in_place.data(), .bias = bias.data()};
  run(alone, kColumns, kFirstRows);
  run(alone, kColumns, kOtherRows);

  EXPECT_EQ(in_place, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = as_double(x[i]) + bias[i % kColumns];
    ASSERT_NEAR(as_double(y[i]), gelu_of(v), 1e-6 + kRounding<Value> * std::abs(gelu_of(v)));
    ASSERT_NEAR(as_double(derivative[i]), gelu_derivative_of(v), 1e-6 + kRounding<Value>);
  }
}

TEST(GeluKernel, InPlaceVersionIsBitIdentical) {
  std::vector<float> points;
  for (int i = -30000; i <= 30000; ++i)
    points.push_back(static_cast<float>(i) / 1000.0F);
  const std::vector<float> bias(points.size(), 0.0F);
  std::vector<float> found = points;

  run(GeluInPlace<float>{.x = found.data(), .bias = bias.data()},
      std::ssize(points),
      {.begin = 0, .end = 1});

  EXPECT_EQ(found, gelu_at(points).y);
}

TEST(GeluKernel, AddsTheBiasOfEachColumnFirst) {
  expect_bias_is_added<float>();
  expect_bias_is_added<Bfloat16>();
}

// Expects that `run_rows(gradient, product, sums, rows)` computes the product of the gradient with
// `factor_of(row, column)` and its sums for any split of the rows.
template <typename Value, typename RunRows, typename FactorOf>
void expect_scaled(const RunRows& run_rows, const FactorOf& factor_of) {
  base::Random random(6);
  const std::vector<Value> gradient = random_row<Value>(kRows * kColumns, random);
  std::vector<Value> product(gradient.size());
  std::vector<double> total(kColumns);

  for (const Range rows : {kFirstRows, kOtherRows}) {
    std::vector<float> sums(kColumns, 7.0F);
    run_rows(gradient.data(), product.data(), sums.data(), rows);
    for (std::size_t d = 0; d < sums.size(); ++d)
      total[d] += sums[d];
  }

  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double expected = as_double(gradient[i]) * factor_of(i / kColumns, i % kColumns);
    ASSERT_NEAR(as_double(product[i]), expected, kRounding<Value> * std::abs(expected));
    total[i % kColumns] -= expected;
  }
  for (const double left : total)
    ASSERT_NEAR(left, 0.0, 1e-6);
}

template <typename Value>
void expect_gelu_gradient() {
  base::Random random(4);
  const std::vector<Value> derivative = random_row<Value>(kRows * kColumns, random);

  expect_scaled<Value>(
      [&derivative](const Value* gradient, Value* product, float* sums, Range rows) {
        run(GeluGradient<Value>{.gradient = gradient,
                                .derivative = derivative.data(),
                                .product = product,
                                .sums = sums},
            kColumns,
            rows);
      },
      [&derivative](std::size_t row, std::size_t d) {
        return as_double(derivative[row * kColumns + d]);
      });
}

TEST(GeluGradientKernel, ComputesTheProductAndItsSums) {
  expect_gelu_gradient<float>();
  expect_gelu_gradient<Bfloat16>();
}

template <typename Value>
void expect_residual() {
  base::Random random(5);
  const std::vector<Value> x = random_row<Value>(kRows * kColumns, random);
  const std::vector<Value> product = random_row<Value>(kRows * kColumns, random);
  const std::vector<float> bias = random_row<float>(kColumns, random);
  std::vector<Value> mask(kRows, as_value<Value>(1.0F));
  mask[1] = as_value<Value>(0.0F);
  std::vector<Value> y = product;

  const Residual<Value> work{
      .x = x.data(), .bias = bias.data(), .mask = mask.data(), .y = y.data()};
  run(work, kColumns, kFirstRows);
  run(work, kColumns, kOtherRows);

  for (std::size_t i = 0; i < x.size(); ++i) {
    const double added = i / kColumns == 1 ? 0.0 : as_double(product[i]) + bias[i % kColumns];
    const double expected = as_double(x[i]) + added;
    ASSERT_NEAR(as_double(y[i]), expected, 1e-6 + kRounding<Value> * std::abs(expected));
  }
}

TEST(ResidualKernel, AddsWhereTheMaskIsOne) {
  expect_residual<float>();
  expect_residual<Bfloat16>();
}

template <typename Value>
void expect_residual_gradient() {
  std::vector<Value> mask(kRows, as_value<Value>(1.0F));
  mask[3] = as_value<Value>(0.0F);

  expect_scaled<Value>(
      [&mask](const Value* gradient, Value* masked, float* sums, Range rows) {
        run(
            ResidualGradient<Value>{
                .gradient = gradient, .mask = mask.data(), .masked = masked, .sums = sums},
            kColumns,
            rows);
      },
      [](std::size_t row, std::size_t) { return row == 3 ? 0.0 : 1.0; });
}

TEST(ResidualGradientKernel, ComputesTheMaskedGradientAndItsSums) {
  expect_residual_gradient<float>();
  expect_residual_gradient<Bfloat16>();
}

}  // namespace
}  // namespace myxtts::model
