#include "synthesis/finite_torch.h"

#include <limits>

#include <gtest/gtest.h>

namespace myxtts::synthesis {
namespace {

TEST(AllFinite, DetectsASingleNonFiniteValue) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(all_finite(torch::zeros({0})));
  EXPECT_TRUE(all_finite(torch::tensor({3.0F, -1e38F})));
  EXPECT_FALSE(all_finite(torch::tensor({-kInfinity, 0.0F})));
  EXPECT_FALSE(all_finite(torch::tensor({kInfinity, 0.0F})));
  for (const std::int64_t index : {0, 500, 999}) {
    torch::Tensor values = torch::arange(1000, torch::kFloat32);
    values[index] = kNan;
    EXPECT_FALSE(all_finite(values)) << index;
  }
}

}  // namespace
}  // namespace myxtts::synthesis
