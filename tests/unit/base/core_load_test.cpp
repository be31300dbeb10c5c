#include "base/core_load.h"

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.h"

namespace myxtts::base {
namespace {

constexpr const char* kStat =
    "cpu  600 0 400 9000 50 0 0 0 0 0\n"
    "cpu0 100 10 20 4000 1000 3 4 5 0 0\n"
    "cpu1 200 0 0 5000 50 0 0 0 0 0\n"
    "cpu10 7 0 0 0 0 0 0 0 0 0\n"
    "intr 1 2 3\n";

TEST(CoreLoad, CountsAllTimeExceptIdleAndIowait) {
  const std::array<int, 1> first = {0};
  const std::array<int, 2> both = {0, 1};

  EXPECT_DOUBLE_EQ(*busy_seconds(kStat, first, 100.0), 1.42);
  EXPECT_DOUBLE_EQ(*busy_seconds(kStat, both, 100.0), 3.42);
}

TEST(CoreLoad, MissingCoresGiveNoValue) {
  const std::array<int, 2> one_absent = {0, 7};

  EXPECT_FALSE(busy_seconds(kStat, one_absent, 100.0).has_value());
  EXPECT_FALSE(busy_seconds("", one_absent, 100.0).has_value());
  EXPECT_FALSE(busy_seconds(kStat, {}, 100.0).has_value());
}

// Threads of this process occupy every core, which leaves little CPU time for other processes.
TEST(CoreLoad, OwnThreadsDoNotCountAsOtherProcesses) {
  std::atomic<bool> is_over = false;
  const CoreLoad load;
  std::vector<std::jthread> busy;
  for (int i = 0; i < num_usable_cores(); ++i)
    busy.emplace_back([&is_over] {
      while (!is_over) {
      }
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  const auto others = load.by_others();
  is_over = true;

  ASSERT_TRUE(others.has_value());
  EXPECT_GE(*others, 0.0);
  EXPECT_LT(*others, 0.9 * num_usable_cores());
}

TEST(CoreLoad, GivesNoValueRightAfterConstruction) {
  EXPECT_FALSE(CoreLoad().by_others().has_value());
}

}  // namespace
}  // namespace myxtts::base
