#include "train/matmul_speed_torch.h"

#include <cmath>

#include <gtest/gtest.h>

namespace myxtts::train {
namespace {

// The lower bound only rejects nonsense.
TEST(MatmulSpeed, IsAPlausibleSpeed) {
  const double speed = measure_matmul_speed();

  EXPECT_TRUE(std::isfinite(speed));
  EXPECT_GT(speed, 1e6);
}

}  // namespace
}  // namespace myxtts::train
