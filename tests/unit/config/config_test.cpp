#include "config/config.h"

#include <gtest/gtest.h>

namespace xtts::config {
namespace {

TEST(Config, MixedPrecisionIsAnotherNameOfPrecision) {
  Config config;
  EXPECT_EQ(precision_of(config), "auto");

  config.training.precision = "bf16";
  EXPECT_EQ(precision_of(config), "bf16");

  config.training.precision = "auto";
  config.data.mixed_precision = false;
  EXPECT_EQ(precision_of(config), "fp32");
  config.data.mixed_precision = true;
  EXPECT_EQ(precision_of(config), "bf16");
}

}  // namespace
}  // namespace xtts::config
