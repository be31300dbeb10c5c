#include "base/sparkline.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

TEST(Sparkline, DrawsOneBarPerValue) {
  const std::vector<double> values = {0, 1, 2, 3, 4, 5, 6, 7};

  EXPECT_EQ(sparkline(values, 20, 0, 7, true), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(values, 20, 0, 7, false), "_.:-=+*#");
}

TEST(Sparkline, AveragesIfThereAreMoreValuesThanColumns) {
  const std::vector<double> values = {0, 0, 0, 8, 8, 8, 0, 8};

  EXPECT_EQ(sparkline(values, 4, 0, 8, false), "_=#=");
}

TEST(Sparkline, ClampsValuesOutsideTheScale) {
  EXPECT_EQ(sparkline(std::vector<double>{-5, 50}, 9, 0, 10, false), "_#");
}

TEST(Sparkline, NonFiniteValuesAreGaps) {
  const std::vector<double> values = {1, std::nan(""), HUGE_VAL, 0};

  EXPECT_EQ(sparkline(values, 9, 0, 1, false), "#  _");
}

TEST(Sparkline, HandlesEqualValuesNoValuesAndNoColumns) {
  EXPECT_EQ(sparkline(std::vector<double>{3, 3}, 9, 3, 3, false), "__");
  EXPECT_EQ(sparkline({}, 9, 0, 1, false), "");
  EXPECT_EQ(sparkline(std::vector<double>{1, 2}, 0, 0, 1, false), "");
}

}  // namespace
}  // namespace myxtts::base
