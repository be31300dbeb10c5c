#include "base/format.h"

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

TEST(Format, UsesTheSignificantDigits) {
  EXPECT_EQ(format_percent(0.0), "0 %");
  EXPECT_EQ(format_percent(0.0004), "0 %");
  EXPECT_EQ(format_percent(0.004), "0.4 %");
  EXPECT_EQ(format_percent(0.0994), "9.9 %");
  EXPECT_EQ(format_percent(0.0996), "10 %");
  EXPECT_EQ(format_percent(0.714), "71 %");
  EXPECT_EQ(format_seconds(0.0000123), "12 us");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(0.523), "0.52 s");
  EXPECT_EQ(format_seconds(27.34), "27.3 s");
  EXPECT_EQ(format_bytes(640e6), "640 MB");
  EXPECT_EQ(format_bytes(12.34e9), "12.3 GB");
  EXPECT_EQ(format_count(0, "worker"), "0 workers");
  EXPECT_EQ(format_count(1, "worker"), "1 worker");
  EXPECT_EQ(format_count(3, "worker"), "3 workers");
}

TEST(FormatSizeFlag, RoundsUp) {
  EXPECT_EQ(format_size_flag(12.01e9), "13GB");
  EXPECT_EQ(format_size_flag(640.2e6), "641MB");
}

}  // namespace
}  // namespace myxtts::base
