#include "train/progress_line.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace myxtts::train {
namespace {

TEST(ProgressLine, ShowsTheProgress) {
  const ProgressStats stats{.step = 1200,
                            .total = 20000,
                            .loss = 1.23456,
                            .parts = {{"mel", 0.98765}, {"duration", 0.12345}},
                            .lr = 1.25e-3,
                            .step_s = 0.4123,
                            .audio_s_per_s = 35.24,
                            .wait_share = 0.012,
                            .eta_s = 7740.0};

  EXPECT_EQ(progress_line(stats),
            "[train]  1200/20000 loss 1.235 (mel 0.988 duration 0.123) lr 1.3e-03 412 ms 35.2x "
            "wait 1% eta 2h09");
}

TEST(ProgressLine, OmitsAnUnknownTotal) {
  EXPECT_EQ(progress_line({.step = 7, .loss = 2.0, .lr = 1e-3, .step_s = 12.5}),
            "[train] 7 loss 2 lr 1.0e-03 12.5 s 0.00x wait 0%");
}

TEST(ProgressLine, FitsAHundredColumnsForAnyNumbers) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double value : {0.0, -1.23456e-7, 1.23456789e10, infinite, -infinite, std::nan("")}) {
    ProgressStats stats{.step = 12345678,
                        .total = 98765432,
                        .loss = value,
                        .lr = 1.2345e-10,
                        .step_s = 3456.78,
                        .audio_s_per_s = 123456.7,
                        .wait_share = 1.0,
                        .eta_s = 1e7};
    for (const char* name : {"mel", "prior", "duration", "energy", "adversarial", "feature"})
      stats.parts.push_back({name, value});

    EXPECT_LE(progress_line(stats).size(), 100U) << progress_line(stats);
  }
}

TEST(DurationText, HasTheTwoLargestUnits) {
  EXPECT_EQ(duration_text(0.2), "0s");
  EXPECT_EQ(duration_text(59.2), "59s");
  EXPECT_EQ(duration_text(59.8), "1min");
  EXPECT_EQ(duration_text(754.0), "13min");
  EXPECT_EQ(duration_text(3599.0), "1h00");
  EXPECT_EQ(duration_text(7500.0), "2h05");
  EXPECT_EQ(duration_text(86400.0 * 3 + 3600.0 * 4), "3d4h");
  EXPECT_EQ(duration_text(std::nan("")), "?");
}

TEST(LiveLine, ShowsShareStepLossAndRemainingTime) {
  const LiveStats stats{.step = 840,
                        .total = 2000,
                        .share = 0.42,
                        .loss = 1.23456,
                        .elapsed_s = 126.0,
                        .steps_per_s = 6.6,
                        .eta_s = 174.0};

  const std::string line = live_line(stats, 100);

  EXPECT_EQ(line.substr(0, 14), "training  42%|");
  EXPECT_NE(line.find("| 840/2000 loss 1.235 [02:06<02:54, 6.60it/s]"), std::string::npos) << line;
}

TEST(LiveLine, FitsTheTerminal) {
  const LiveStats stats{.step = 12345678,
                        .total = 98765432,
                        .share = 0.125,
                        .loss = 123.456,
                        .elapsed_s = 123456.0,
                        .steps_per_s = 12.34,
                        .eta_s = 1234567.0};

  for (const int width : {50, 60, 80, 100, 200})
    EXPECT_LT(base::display_width(live_line(stats, width)), static_cast<std::size_t>(width));
}

TEST(LiveLine, ShowsUnknownValuesAsUnknown) {
  EXPECT_NE(live_line({.step = 7, .elapsed_s = 1.0}, 100).find("| 7 loss 0 [00:01<?, 0.00it/s]"),
            std::string::npos);
  EXPECT_NE(live_line({.step = 7, .eta_s = -3.0}, 100).find("<00:00,"), std::string::npos);
}

}  // namespace
}  // namespace myxtts::train
