#include "train/watchdog.h"

#include <vector>

#include <gtest/gtest.h>

namespace myxtts::train {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RunWatchdogTest : public testing::Test {
 protected:
  RunWatchdog::Callback append_to(std::vector<std::string>& lines) {
    return [this, &lines](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines.push_back(line);
    };
  }
  RunWatchdog watchdog_with(RunWatchdog::Limits limits) {
    return RunWatchdog(limits, append_to(lines_), append_to(abandoned_));
  }
  std::size_t count(const std::vector<std::string>& lines) {
    const std::lock_guard lock(mutex_);
    return lines.size();
  }
  void wait_for(const std::vector<std::string>& lines, std::size_t wanted) {
    const auto until = RunWatchdog::Clock::now() + seconds(20);
    while (count(lines) < wanted && RunWatchdog::Clock::now() < until)
      std::this_thread::sleep_for(milliseconds(2));
  }

  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::vector<std::string> abandoned_;
};

TEST_F(RunWatchdogTest, LogsTheStepAndTheActivityThatHangs) {
  RunWatchdog watchdog = watchdog_with({.unusual = milliseconds(20)});
  const std::vector<std::pair<Activity, std::string>> expected = {
      {Activity::kWaitForData, "[data] step 7 has waited "},
      {Activity::kCompute, "[train] step 7 has run for "},
      {Activity::kEvaluate, "[train] evaluation after step 7 has taken "},
      {Activity::kCheckpoint, "[train] writing the checkpoint of step 7 has taken "}};
  for (const auto& [activity, message] : expected) {
    const std::size_t before = count(lines_);
    {
      const RunWatchdog::ScopedActivity scope(watchdog, activity, 7);
      wait_for(lines_, before + 2);  // logged again later
    }
    ASSERT_GE(count(lines_), before + 2) << message;
    EXPECT_TRUE(lines_[before].starts_with(message)) << lines_[before];
    EXPECT_TRUE(lines_[before + 1].starts_with(message)) << lines_[before + 1];
  }
  EXPECT_TRUE(abandoned_.empty());
}

TEST_F(RunWatchdogTest, IsSilentWhileStepsProgress) {
  RunWatchdog watchdog = watchdog_with({.unusual = milliseconds(1000), .hung = milliseconds(1100)});
  for (int step = 1; step <= 60; ++step) {
    const RunWatchdog::ScopedActivity scope(watchdog, Activity::kCompute, step);
    std::this_thread::sleep_for(milliseconds(10));
  }
  std::this_thread::sleep_for(milliseconds(1300));
  EXPECT_EQ(count(lines_), 0U);
  EXPECT_EQ(count(abandoned_), 0U);
}

// Steps that are always slow are not logged.
TEST_F(RunWatchdogTest, IsSilentIfAnEarlierStepTookAsLong) {
  RunWatchdog watchdog = watchdog_with({.unusual = milliseconds(250)});
  {
    const RunWatchdog::ScopedActivity scope(watchdog, Activity::kCompute, 1);
    wait_for(lines_, 1);
    std::this_thread::sleep_for(milliseconds(300));
  }
  const std::size_t before = count(lines_);
  {
    const RunWatchdog::ScopedActivity scope(watchdog, Activity::kCompute, 2);
    std::this_thread::sleep_for(milliseconds(550));
  }
  EXPECT_EQ(count(lines_), before);
}

TEST_F(RunWatchdogTest, AbandonsAHungActivityOnce) {
  RunWatchdog watchdog = watchdog_with({.unusual = milliseconds(20), .hung = milliseconds(200)});
  { const RunWatchdog::ScopedActivity one(watchdog, Activity::kCheckpoint, 6); }
  const RunWatchdog::ScopedActivity scope(watchdog, Activity::kCheckpoint, 12);
  wait_for(abandoned_, 1);
  std::this_thread::sleep_for(milliseconds(60));
  ASSERT_EQ(count(abandoned_), 1U);
  EXPECT_GE(count(lines_), 1U);
  EXPECT_TRUE(abandoned_[0].starts_with(
      "writing the checkpoint of step 12 has taken 0.2 s (longest before: "
      "0.0 s); the run is abandoned: the disk of the run folder is slow or "
      "disconnected."))
      << abandoned_[0];
}

// A step of a large model on few cores may take minutes.
TEST_F(RunWatchdogTest, AllowsMoreTimeForFirstAndSlowActivities) {
  RunWatchdog watchdog = watchdog_with({.unusual = milliseconds(20), .hung = milliseconds(100)});
  {
    const RunWatchdog::ScopedActivity first(watchdog, Activity::kCompute, 1);
    std::this_thread::sleep_for(milliseconds(300));
  }
  {
    const RunWatchdog::ScopedActivity second(watchdog, Activity::kCompute, 2);
    std::this_thread::sleep_for(milliseconds(700));
  }
  EXPECT_EQ(count(abandoned_), 0U);
  const RunWatchdog::ScopedActivity hanging(watchdog, Activity::kEvaluate, 2);
  wait_for(abandoned_, 1);
  EXPECT_EQ(count(abandoned_), 1U);
}

}  // namespace
}  // namespace myxtts::train
