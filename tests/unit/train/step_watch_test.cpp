#include "train/step_watch.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace xtts::train {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class StepWatchTest : public testing::Test {
 protected:
  void say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
  }
  std::size_t num_lines() {
    const std::lock_guard lock(mutex_);
    return lines_.size();
  }
  void wait_for_lines(std::size_t count) {
    const auto until = StepWatch::Clock::now() + seconds(20);
    while (num_lines() < count && StepWatch::Clock::now() < until)
      std::this_thread::sleep_for(milliseconds(2));
  }

  std::mutex mutex_;
  std::vector<std::string> lines_;
};

TEST_F(StepWatchTest, SaysWhichStepStandsStillAndInWhat) {
  StepWatch watch([this](const std::string& line) { say(line); }, milliseconds(20));
  watch.begin(LaneWork::kWaitForData, 7);
  wait_for_lines(2);  // and again, later
  watch.end();
  ASSERT_GE(num_lines(), 2U);
  EXPECT_TRUE(lines_[0].starts_with("[data] step 7 has waited ")) << lines_[0];
  EXPECT_TRUE(lines_[1].starts_with("[data] step 7 has waited ")) << lines_[1];

  const std::size_t before = num_lines();
  watch.begin(LaneWork::kCompute, 8);  // a wait says nothing about steps
  wait_for_lines(before + 1);
  watch.end();
  ASSERT_GT(num_lines(), before);
  EXPECT_TRUE(lines_[before].starts_with("[train] step 8 has computed for ")) << lines_[before];
}

TEST_F(StepWatchTest, IsQuietBetweenStepsAndWhileTheyEnd) {
  StepWatch watch([this](const std::string& line) { say(line); }, milliseconds(1000));
  for (int step = 1; step <= 60; ++step) {
    watch.begin(LaneWork::kCompute, step);
    std::this_thread::sleep_for(milliseconds(10));
    watch.end();
  }
  std::this_thread::sleep_for(milliseconds(1300));
  EXPECT_EQ(num_lines(), 0U);
}

// Steps that take long by nature are no news.
TEST_F(StepWatchTest, IsQuietAboutTenTimesTheLongest) {
  StepWatch watch([this](const std::string& line) { say(line); }, milliseconds(4));
  watch.begin(LaneWork::kCompute, 1);
  wait_for_lines(1);
  std::this_thread::sleep_for(milliseconds(200));
  watch.end();
  const std::size_t before = num_lines();
  watch.begin(LaneWork::kCompute, 2);
  std::this_thread::sleep_for(milliseconds(300));
  watch.end();
  EXPECT_EQ(num_lines(), before);
}

}  // namespace
}  // namespace xtts::train
