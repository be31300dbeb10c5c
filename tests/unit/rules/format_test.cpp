#include "rules/format.h"

#include <gtest/gtest.h>

namespace xtts::rules {
namespace {

TEST(Words, HaveAsManyDigitsAsTell) {
  EXPECT_EQ(percent(0.0), "0 %");
  EXPECT_EQ(percent(0.0004), "0 %");
  EXPECT_EQ(percent(0.004), "0.4 %");
  EXPECT_EQ(percent(0.0994), "9.9 %");
  EXPECT_EQ(percent(0.0996), "10 %");
  EXPECT_EQ(percent(0.714), "71 %");
  EXPECT_EQ(seconds_text(0.0000123), "12 us");
  EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
  EXPECT_EQ(seconds_text(0.523), "0.52 s");
  EXPECT_EQ(seconds_text(27.34), "27.3 s");
  EXPECT_EQ(bytes_text(640e6), "640 MB");
  EXPECT_EQ(bytes_text(12.34e9), "12.3 GB");
  EXPECT_EQ(counted(1, "worker"), "1 worker");
  EXPECT_EQ(counted(3, "worker"), "3 workers");
}

TEST(BytesFlag, IsRoundedUp) {
  EXPECT_EQ(bytes_flag(12.01e9), "13GB");
  EXPECT_EQ(bytes_flag(640.2e6), "641MB");
}

}  // namespace
}  // namespace xtts::rules
