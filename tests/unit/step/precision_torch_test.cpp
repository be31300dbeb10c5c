#include "step/precision_torch.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.h"

namespace xtts::step {
namespace {

TEST(Precision, HasATypeOnceItIsDecided) {
  EXPECT_EQ(type_of("fp32"), torch::kFloat32);
  EXPECT_EQ(type_of("bf16"), torch::kBFloat16);
  EXPECT_THROW(type_of("auto"), BugError);
}

TEST(Precision, WhatIsSaidToWorkWorks) {
  if (!bf16_works()) GTEST_SKIP() << "no bfloat16 on this machine";
  const torch::Tensor x = torch::ones({33, 48}, torch::kBFloat16).set_requires_grad(true);

  at::linear(x, torch::ones({7, 48}, torch::kBFloat16)).sum().backward();

  EXPECT_TRUE(x.grad().equal(torch::full({33, 48}, 7.0, torch::kBFloat16)));
}

TEST(Precision, WhatPaysIsThereAndWorksAndIsFaster) {
  const double gain = bf16_works() ? bf16_gain() : 0.0;

  EXPECT_TRUE(std::isfinite(gain));
  // Far from the limit one measurement says what the next one does.
  const bool is_slow = gain < 0.7 * kLeastBf16Gain;
  const bool is_fast = gain > 1.5 * kLeastBf16Gain;
  EXPECT_FALSE(is_slow && bf16_pays()) << gain;
  EXPECT_FALSE(is_fast && cpu_has_bf16() && !bf16_pays()) << gain;
}

}  // namespace
}  // namespace xtts::step
