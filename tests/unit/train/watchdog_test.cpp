#include "train/watchdog.h"

#include <vector>

#include <gtest/gtest.h>

namespace xtts::train {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RunWatchTest : public testing::Test {
 protected:
  RunWatchdog::Say into(std::vector<std::string>& lines) {
    return [this, &lines](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines.push_back(line);
    };
  }
  RunWatchdog watch_of(RunWatchdog::Limits limits) {
    return RunWatchdog(limits, into(lines_), into(given_up_));
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
  std::vector<std::string> given_up_;
};

TEST_F(RunWatchTest, SaysWhichStepStandsStillAndInWhat) {
  RunWatchdog watch = watch_of({.unusual = milliseconds(20)});
  const std::vector<std::pair<RunWork, std::string>> expected = {
      {RunWork::kWaitForData, "[data] step 7 has waited "},
      {RunWork::kCompute, "[train] step 7 has computed for "},
      {RunWork::kReview, "[train] looking at the model after step 7 has taken "},
      {RunWork::kSave, "[train] saving step 7 has taken "}};
  for (const auto& [work, words] : expected) {
    const std::size_t before = count(lines_);
    {
      const RunWatchdog::Watched watched(watch, work, 7);
      wait_for(lines_, before + 2);  // and again, later
    }
    ASSERT_GE(count(lines_), before + 2) << words;
    EXPECT_TRUE(lines_[before].starts_with(words)) << lines_[before];
    EXPECT_TRUE(lines_[before + 1].starts_with(words)) << lines_[before + 1];
  }
  EXPECT_TRUE(given_up_.empty());
}

TEST_F(RunWatchTest, IsQuietBetweenStepsAndWhileTheyEnd) {
  RunWatchdog watch = watch_of({.unusual = milliseconds(1000), .hopeless = milliseconds(1100)});
  for (int step = 1; step <= 60; ++step) {
    const RunWatchdog::Watched watched(watch, RunWork::kCompute, step);
    std::this_thread::sleep_for(milliseconds(10));
  }
  std::this_thread::sleep_for(milliseconds(1300));
  EXPECT_EQ(count(lines_), 0U);
  EXPECT_EQ(count(given_up_), 0U);
}

// Steps that take long by nature are no news.
TEST_F(RunWatchTest, IsQuietAboutWhatHasTakenAsLongBefore) {
  RunWatchdog watch = watch_of({.unusual = milliseconds(250)});
  {
    const RunWatchdog::Watched watched(watch, RunWork::kCompute, 1);
    wait_for(lines_, 1);
    std::this_thread::sleep_for(milliseconds(300));
  }
  const std::size_t before = count(lines_);
  {
    const RunWatchdog::Watched watched(watch, RunWork::kCompute, 2);
    std::this_thread::sleep_for(milliseconds(550));
  }
  EXPECT_EQ(count(lines_), before);
}

TEST_F(RunWatchTest, GivesUpOnceWhatNeverEnds) {
  RunWatchdog watch = watch_of({.unusual = milliseconds(20), .hopeless = milliseconds(200)});
  { const RunWatchdog::Watched one(watch, RunWork::kSave, 6); }
  const RunWatchdog::Watched watched(watch, RunWork::kSave, 12);
  wait_for(given_up_, 1);
  std::this_thread::sleep_for(milliseconds(60));
  ASSERT_EQ(count(given_up_), 1U);
  EXPECT_GE(count(lines_), 1U);
  EXPECT_TRUE(
      given_up_[0].starts_with("saving step 12 has taken 0.2 s (longest before: 0.0 s) and "
                               "is given up: the disk of the run folder is slow or gone."))
      << given_up_[0];
}

// An update of a large model on few cores may take minutes.
TEST_F(RunWatchTest, GivesTheFirstAndTheSlowMoreTime) {
  RunWatchdog watch = watch_of({.unusual = milliseconds(20), .hopeless = milliseconds(100)});
  {
    const RunWatchdog::Watched first(watch, RunWork::kCompute, 1);
    std::this_thread::sleep_for(milliseconds(300));
  }
  {
    const RunWatchdog::Watched second(watch, RunWork::kCompute, 2);
    std::this_thread::sleep_for(milliseconds(700));
  }
  EXPECT_EQ(count(given_up_), 0U);
  const RunWatchdog::Watched hanging(watch, RunWork::kReview, 2);
  wait_for(given_up_, 1);
  EXPECT_EQ(count(given_up_), 1U);
}

}  // namespace
}  // namespace xtts::train
