#include "step/precision_torch.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::step {
namespace {

TEST(Precision, HasATypeUnlessItIsAuto) {
  EXPECT_EQ(type_of("fp32"), torch::kFloat32);
  EXPECT_EQ(type_of("bf16"), torch::kBFloat16);
  EXPECT_THROW(type_of("auto"), BugError);
}

TEST(Precision, Bf16WorksIfReported) {
  if (!bf16_works()) GTEST_SKIP() << "no bfloat16 on this machine";
  const torch::Tensor x = torch::ones({33, 48}, torch::kBFloat16).set_requires_grad(true);

  at::linear(x, torch::ones({7, 48}, torch::kBFloat16)).sum().backward();

  EXPECT_TRUE(x.grad().equal(torch::full({33, 48}, 7.0, torch::kBFloat16)));
}

TEST(Precision, GainIsThatOfMatrixProducts) {
  if (!bf16_works()) GTEST_SKIP() << "no bfloat16 on this machine";
  const torch::NoGradGuard no_grad;
  const torch::Tensor x = torch::ones({512, 512});
  const torch::Tensor bf16 = x.to(torch::kBFloat16);
  const auto seconds = [](const torch::Tensor& one) {
    double fastest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 6; ++i) {
      const auto start = std::chrono::steady_clock::now();
      at::mm(one, one);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      fastest = std::min(fastest, elapsed.count());
    }
    return fastest;
  };

  const double gain = bf16_gain();

  // The gain depends on the sizes, but its order of magnitude does not.
  EXPECT_GT(gain, 0.1 * seconds(x) / seconds(bf16));
  EXPECT_LT(gain, 10.0 * seconds(x) / seconds(bf16));
}

}  // namespace
}  // namespace myxtts::step
