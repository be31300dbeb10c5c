#include "train/product_speed_torch.h"

#include <cmath>

#include <gtest/gtest.h>

namespace xtts::train {
namespace {

// A million is what a processor of 1980 could do.
TEST(ProductSpeed, IsASpeedOfThisCentury) {
  const double speed = measure_product_speed();

  EXPECT_TRUE(std::isfinite(speed));
  EXPECT_GT(speed, 1e6);
}

}  // namespace
}  // namespace xtts::train
