#include "train/report_interval.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace myxtts::train {
namespace {

std::map<std::string, double> scalars_of(const ReportInterval& interval) {
  const auto scalars = interval.scalars();
  return {scalars.begin(), scalars.end()};
}

ReportInterval interval_of_two_steps() {
  ReportInterval interval;
  interval.add({.loss = 4.0, .parts = {{"mel", 1.0}}, .copy_s = 0.125},
               {.step_s = 0.5,
                .wait_s = 0.25,
                .host_s = 0.5,
                .buffer_depth = 3,
                .data = {.busy_s = 0.5, .waiting_s = 0.25, .blocked_s = 1.0}},
               2.0);
  interval.add({.loss = std::nan(""), .parts = {{"mel", std::nan("")}}, .not_finite = "loss"},
               {.step_s = 1.0, .buffer_depth = 6, .data = {.busy_s = 1.0}},
               1.0);
  return interval;
}

TEST(ReportInterval, AveragesLossesOverStepsThatWereNotSkipped) {
  const ProgressStats stats = interval_of_two_steps().progress();

  EXPECT_EQ(stats.loss, 4.0);
  EXPECT_EQ(stats.parts, (std::vector<std::pair<std::string, double>>{{"mel", 1.0}}));
  EXPECT_EQ(stats.step_s, 0.75);
  EXPECT_EQ(stats.audio_s_per_s, 2.0);
  EXPECT_EQ(stats.wait_share, 0.25 / 1.75);
}

TEST(ReportInterval, ScalarsHaveTheTimesOfBothLanes) {
  const std::map<std::string, double> expected = {{"loss/total", 4.0},
                                                  {"loss/mel", 1.0},
                                                  {"speed/step_ms", 750.0},
                                                  {"speed/audio_s_per_s", 2.0},
                                                  {"data/copy_ms", 62.5},
                                                  {"data/wait_ms", 125.0},
                                                  {"data/host_ms", 250.0},
                                                  {"data/busy_ms", 750.0},
                                                  {"data/waiting_ms", 125.0},
                                                  {"data/blocked_ms", 500.0},
                                                  {"data/buffer_depth", 4.5}};
  EXPECT_EQ(scalars_of(interval_of_two_steps()), expected);
}

TEST(ReportInterval, HasNoLossIfAllStepsWereSkipped) {
  ReportInterval interval;
  interval.add({.not_finite = "gradient"}, {.step_s = 1.0}, 1.0);

  EXPECT_TRUE(std::isnan(interval.progress().loss));
  EXPECT_FALSE(scalars_of(interval).contains("loss/total"));
}

}  // namespace
}  // namespace myxtts::train
