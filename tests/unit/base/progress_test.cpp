#include "base/progress.h"

#include <string>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace myxtts::base {
namespace {

TEST(ProgressLine, HasPercentCountRemainingTimeAndRate) {
  const std::string line = progress_line("speak", 7568, 10000, 33.0, 200);

  EXPECT_NE(line.find("speak  76%|"), std::string::npos) << line;
  EXPECT_NE(line.find("| 7568/10000 [00:33<00:10, 229.33it/s]"), std::string::npos) << line;
}

TEST(ProgressLine, FitsTheTerminal) {
  for (const int width : {60, 80, 120}) {
    EXPECT_LT(display_width(progress_line("check", 5, 10, 1.0, width)),
              static_cast<std::size_t>(width));
  }
}

TEST(ProgressLine, HasNoEstimateBeforeTheFirstItem) {
  EXPECT_NE(progress_line("x", 0, 10, 1.0, 80).find("<?,"), std::string::npos);
}

TEST(ProgressLine, EmptyTotalIsComplete) {
  EXPECT_NE(progress_line("x", 0, 0, 1.0, 80).find("100%|"), std::string::npos);
}

TEST(BarLine, FillsTheBarByShareAndLeavesRoomForTheTail) {
  const std::string line = bar_line("train", 0.25, " loss 1.5", 60);

  EXPECT_EQ(line.substr(0, 11), "train  25%|");
  EXPECT_EQ(line.substr(line.size() - 10), "| loss 1.5");
  EXPECT_LT(display_width(line), 60U);
  EXPECT_NE(bar_line("train", 0.5, " loss 1.5", 60), line);
  EXPECT_EQ(bar_line("train", 0.25, " loss 1.5", 10), "train  25%|| loss 1.5");
}

TEST(ClockText, HasHoursOnlyFromOneHourOn) {
  EXPECT_EQ(clock_text(125.9), "02:05");
  EXPECT_EQ(clock_text(3725.0), "1:02:05");
}

TEST(ProgressBar, PrintsWholeLinesWithoutControlCodesIntoAPipe) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar("work", 3);
    for (int i = 0; i < 3; ++i)
      bar.advance();
  }
  const std::string printed = testing::internal::GetCapturedStderr();

  EXPECT_EQ(printed.find('\r'), std::string::npos);
  EXPECT_EQ(printed.find('\x1b'), std::string::npos);
  EXPECT_NE(printed.find("3/3"), std::string::npos) << printed;
  EXPECT_EQ(printed.back(), '\n');
}

TEST(ProgressBar, DrawsNothingWithoutProgress) {
  testing::internal::CaptureStderr();
  { const ProgressBar bar("work", 3); }

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace myxtts::base
