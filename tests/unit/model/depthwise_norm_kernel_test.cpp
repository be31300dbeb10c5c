#include "model/depthwise_norm_kernel.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/model/kernel_values.h"

namespace myxtts::model {
namespace {

using Doubles = std::vector<double>;

// Includes rows shorter than the kernel and channel counts around the lane width.
std::vector<RowSizes> all_row_sizes() {
  std::vector<RowSizes> all;
  for (const std::int64_t positions : {1, 2, 3, 4, 7, 20})
    for (const std::int64_t channels : {1, 3, 15, 16, 17, 50})
      for (const std::int64_t taps : {1, 3, 7})
        all.push_back({.positions = positions, .channels = channels, .taps = taps});
  return all;
}

std::string format_sizes(const RowSizes& sizes) {
  return fmt::format(
      "{} positions, {} channels, {} taps", sizes.positions, sizes.channels, sizes.taps);
}

// Splits positions into three ranges, as threads do.
std::vector<Range> parts_of(std::int64_t positions) {
  return {{0, positions / 3}, {positions / 3, positions / 2}, {positions / 2, positions}};
}

// A random row and the formulas of the header in double precision.
template <typename Value>
struct RandomRow {
  explicit RandomRow(const RowSizes& row_sizes) : sizes(row_sizes), random(5) {
    const std::int64_t elements = sizes.positions * sizes.channels;
    x = random_row<Value>(elements, random);
    taps = random_row<float>(sizes.taps * sizes.channels, random);
    bias = random_row<float>(sizes.channels, random);
    scale = random_row<float>(sizes.channels, random);
    shift = random_row<float>(sizes.channels, random);
    gradient = random_row<Value>(elements, random);
    normed = random_row<Value>(elements, random);
    inverse = random_row<float>(sizes.positions, random);
  }

  std::size_t index(std::int64_t l, std::int64_t d) const {
    return static_cast<std::size_t>(l * sizes.channels + d);
  }
  std::size_t count() const { return static_cast<std::size_t>(sizes.positions * sizes.channels); }

  double at(const std::vector<Value>& values, std::int64_t l, std::int64_t d) const {
    return l < 0 || l >= sizes.positions ? 0.0 : as_double(values[index(l, d)]);
  }

  double convolved(std::int64_t l, std::int64_t d) const {
    double sum = bias[index(0, d)];
    for (std::int64_t k = 0; k < sizes.taps; ++k)
      sum += taps[index(k, d)] * at(x, l + k - sizes.taps / 2, d);
    return sum;
  }

  template <typename Term>
  double mean_over_channels(const Term& term) const {
    double sum = 0.0;
    for (std::int64_t d = 0; d < sizes.channels; ++d)
      sum += term(d);
    return sum / static_cast<double>(sizes.channels);
  }

  RowSizes sizes;
  base::Random random;
  std::vector<Value> x, gradient, normed;
  std::vector<float> taps, bias, scale, shift, inverse;
};

template <typename Value>
void expect_depthwise_norm(const RowSizes& sizes) {
  const RandomRow<Value> row(sizes);
  std::vector<Value> normed(row.count()), y(row.count());
  std::vector<float> inverse(static_cast<std::size_t>(sizes.positions));

  const DepthwiseNorm<Value> work{.x = row.x.data(),
                                  .taps = row.taps.data(),
                                  .bias = row.bias.data(),
                                  .scale = row.scale.data(),
                                  .shift = row.shift.data(),
                                  .normed = normed.data(),
                                  .inverse_std = inverse.data(),
                                  .y = y.data()};
  for (const Range part : parts_of(sizes.positions))
    run(work, sizes, part);

  for (std::int64_t l = 0; l < sizes.positions; ++l) {
    const double mean = row.mean_over_channels([&](auto d) { return row.convolved(l, d); });
    const double variance = row.mean_over_channels(
        [&](auto d) { return (row.convolved(l, d) - mean) * (row.convolved(l, d) - mean); });
    const double expected_inverse = 1.0 / std::sqrt(variance + double{kNormEpsilon});
    ASSERT_NEAR(inverse[static_cast<std::size_t>(l)], expected_inverse, 1e-5 * expected_inverse)
        << format_sizes(sizes);
    for (std::int64_t d = 0; d < sizes.channels; ++d) {
      const std::size_t i = row.index(l, d);
      const double value = (row.convolved(l, d) - mean) * expected_inverse;
      const double scaled = value * row.scale[row.index(0, d)] + row.shift[row.index(0, d)];
      ASSERT_NEAR(as_double(normed[i]), value, 5e-5 + kRounding<Value> * std::abs(value))
          << format_sizes(sizes);
      ASSERT_NEAR(as_double(y[i]), scaled, 5e-5 + kRounding<Value> * std::abs(scaled))
          << format_sizes(sizes);
    }
  }
}

template <typename Value>
void expect_norm_gradient(const RowSizes& sizes) {
  const RandomRow<Value> row(sizes);
  std::vector<Value> found(row.count());
  const auto channels = static_cast<std::size_t>(sizes.channels);
  Doubles scale_total(channels), shift_total(channels);

  for (const Range part : parts_of(sizes.positions)) {
    // The kernel overwrites the initial values.
    std::vector<float> scale_sums(channels, 7.0F), shift_sums(channels, 7.0F);
    const NormGradient<Value> work{.y_gradient = row.gradient.data(),
                                   .normed = row.normed.data(),
                                   .inverse_std = row.inverse.data(),
                                   .scale = row.scale.data(),
                                   .c_gradient = found.data(),
                                   .scale_sums = scale_sums.data(),
                                   .shift_sums = shift_sums.data()};
    run(work, sizes, part);
    for (std::size_t d = 0; d < channels; ++d) {
      scale_total[d] += scale_sums[d];
      shift_total[d] += shift_sums[d];
    }
  }

  for (std::int64_t l = 0; l < sizes.positions; ++l) {
    const auto scaled_gradient = [&](std::int64_t d) {
      return row.at(row.gradient, l, d) * row.scale[row.index(0, d)];
    };
    const double mean = row.mean_over_channels(scaled_gradient);
    const double along = row.mean_over_channels(
        [&](auto d) { return scaled_gradient(d) * row.at(row.normed, l, d); });
    for (std::int64_t d = 0; d < sizes.channels; ++d) {
      const std::size_t channel = row.index(0, d);
      const double expected = row.inverse[static_cast<std::size_t>(l)] *
                              (scaled_gradient(d) - mean - row.at(row.normed, l, d) * along);
      ASSERT_NEAR(
          as_double(found[row.index(l, d)]), expected, 1e-6 + kRounding<Value> * std::abs(expected))
          << format_sizes(sizes);
      scale_total[channel] -= row.at(row.gradient, l, d) * row.at(row.normed, l, d);
      shift_total[channel] -= row.at(row.gradient, l, d);
    }
  }
  for (std::size_t d = 0; d < channels; ++d) {
    ASSERT_NEAR(scale_total[d], 0.0, 1e-5) << format_sizes(sizes);
    ASSERT_NEAR(shift_total[d], 0.0, 1e-5) << format_sizes(sizes);
  }
}

template <typename Value>
void expect_depthwise_gradient(const RowSizes& sizes) {
  const RandomRow<Value> row(sizes);
  const std::int64_t reach = sizes.taps / 2;
  std::vector<Value> found(row.count());
  Doubles tap_total(row.taps.size()), bias_total(row.bias.size());

  for (const Range part : parts_of(sizes.positions)) {
    std::vector<float> tap_sums(row.taps.size(), 7.0F), bias_sums(row.bias.size(), 7.0F);
    const DepthwiseGradient<Value> work{.x = row.x.data(),
                                        .c_gradient = row.gradient.data(),
                                        .taps = row.taps.data(),
                                        .x_gradient = found.data(),
                                        .tap_sums = tap_sums.data(),
                                        .bias_sums = bias_sums.data()};
    run(work, sizes, part);
    for (std::size_t i = 0; i < tap_sums.size(); ++i)
      tap_total[i] += tap_sums[i];
    for (std::size_t i = 0; i < bias_sums.size(); ++i)
      bias_total[i] += bias_sums[i];
  }

  for (std::int64_t d = 0; d < sizes.channels; ++d) {
    for (std::int64_t l = 0; l < sizes.positions; ++l) {
      double expected = 0.0;
      for (std::int64_t k = 0; k < sizes.taps; ++k) {
        expected += row.taps[row.index(k, d)] * row.at(row.gradient, l + reach - k, d);
        tap_total[row.index(k, d)] -= row.at(row.gradient, l, d) * row.at(row.x, l + k - reach, d);
      }
      bias_total[row.index(0, d)] -= row.at(row.gradient, l, d);
      ASSERT_NEAR(
          as_double(found[row.index(l, d)]), expected, 1e-6 + kRounding<Value> * std::abs(expected))
          << format_sizes(sizes);
    }
  }
  for (const double left : tap_total)
    ASSERT_NEAR(left, 0.0, 1e-5) << format_sizes(sizes);
  for (const double left : bias_total)
    ASSERT_NEAR(left, 0.0, 1e-5) << format_sizes(sizes);
}

TEST(DepthwiseNormKernel, ForwardMatchesTheFormula) {
  for (const RowSizes& sizes : all_row_sizes()) {
    expect_depthwise_norm<float>(sizes);
    expect_depthwise_norm<Bfloat16>(sizes);
  }
}

TEST(DepthwiseNormKernel, NormGradientMatchesTheFormula) {
  for (const RowSizes& sizes : all_row_sizes()) {
    expect_norm_gradient<float>(sizes);
    expect_norm_gradient<Bfloat16>(sizes);
  }
}

TEST(DepthwiseNormKernel, ConvolutionGradientMatchesTheFormula) {
  for (const RowSizes& sizes : all_row_sizes()) {
    expect_depthwise_gradient<float>(sizes);
    expect_depthwise_gradient<Bfloat16>(sizes);
  }
}

}  // namespace
}  // namespace myxtts::model
