#include "model/depthwise_torch.h"

#include <functional>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace xtts::model {
namespace {

using Convolution = std::function<torch::Tensor(
    const torch::Tensor& x, const torch::Tensor& kernel, const torch::Tensor& bias)>;

struct Sizes {
  std::int64_t rows, positions, channels, taps;
};

// The result and the gradients of everything that went in.
struct Outcome {
  torch::Tensor y, x_slope, kernel_slope, bias_slope;
};

Outcome outcome_of(const Convolution& convolution, const Sizes& sizes, torch::ScalarType type) {
  const torch::Tensor x = random_tensor({sizes.rows, sizes.positions, sizes.channels}, 1)
                              .to(type)
                              .set_requires_grad(true);
  const torch::Tensor kernel =
      random_tensor({sizes.channels, sizes.taps}, 2).set_requires_grad(true);
  const torch::Tensor bias = random_tensor({sizes.channels}, 3).set_requires_grad(true);
  const torch::Tensor y = convolution(x, kernel, bias);
  const torch::Tensor weights =
      random_tensor({sizes.rows, sizes.positions, sizes.channels}, 4).to(type);
  (y * weights).sum().backward();
  return {y.detach(), x.grad(), kernel.grad(), bias.grad()};
}

void expect_same(const Outcome& found, const Outcome& expected, double tolerance) {
  EXPECT_EQ(found.y.scalar_type(), expected.y.scalar_type());
  EXPECT_EQ(found.kernel_slope.scalar_type(), torch::kFloat32);
  EXPECT_LE(relative_difference(found.y, expected.y), tolerance);
  EXPECT_LE(relative_difference(found.x_slope, expected.x_slope), tolerance);
  EXPECT_LE(relative_difference(found.kernel_slope, expected.kernel_slope), tolerance);
  EXPECT_LE(relative_difference(found.bias_slope, expected.bias_slope), tolerance);
}

const std::vector<Sizes> kAllSizes = {{1, 1, 1, 7}, {2, 3, 5, 7}, {3, 12, 64, 7}, {4, 33, 70, 3}};

TEST(DepthwiseConvolution, ValuesAndGradientsAreThoseOfTheTwin) {
  for (const Sizes& sizes : kAllSizes) {
    SCOPED_TRACE(fmt::format("{} x {} x {}", sizes.rows, sizes.positions, sizes.channels));
    expect_same(outcome_of(depthwise_convolution, sizes, torch::kFloat32),
                outcome_of(plain_depthwise_convolution, sizes, torch::kFloat32),
                2e-6);
  }
}

// The twin rounds where the arithmetic ends; the kernel's sums have another order.
TEST(DepthwiseConvolution, InBfloatItIsTheTwinToOneRounding) {
  for (const Sizes& sizes : kAllSizes) {
    SCOPED_TRACE(fmt::format("{} x {} x {}", sizes.rows, sizes.positions, sizes.channels));
    expect_same(outcome_of(depthwise_convolution, sizes, torch::kBFloat16),
                outcome_of(plain_depthwise_convolution, sizes, torch::kBFloat16),
                1.0 / 128.0);
  }
}

TEST(DepthwiseConvolution, TheNumberOfThreadsChangesNoBit) {
  const Sizes sizes{7, 40, 70, 7};
  const auto with_threads = [&](int threads) {
    const ThreadsGuard guard(threads);
    return outcome_of(depthwise_convolution, sizes, torch::kFloat32);
  };

  const Outcome one = with_threads(1);
  const Outcome four = with_threads(4);

  EXPECT_TRUE(same_bits(one.y, four.y));
  EXPECT_TRUE(same_bits(one.x_slope, four.x_slope));
  EXPECT_TRUE(same_bits(one.kernel_slope, four.kernel_slope));
  EXPECT_TRUE(same_bits(one.bias_slope, four.bias_slope));
}

TEST(DepthwiseConvolution, TakesATensorWhoseMemoryIsNotInOrder) {
  const torch::Tensor turned = random_tensor({2, 6, 9}, 5).transpose(1, 2);  // [2, 9, 6]
  const torch::Tensor kernel = random_tensor({6, 7}, 6);
  const torch::Tensor bias = random_tensor({6}, 7);

  EXPECT_TRUE(same_bits(depthwise_convolution(turned, kernel, bias),
                        depthwise_convolution(turned.contiguous(), kernel, bias)));
}

}  // namespace
}  // namespace xtts::model
