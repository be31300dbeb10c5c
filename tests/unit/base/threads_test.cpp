#include "base/threads.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>

namespace myxtts::base {
namespace {

TEST(UsableCores, DoNotChangeWhenAThreadIsPinned) {
  const std::vector<int>& all = usable_cores();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(num_usable_cores(), static_cast<int>(all.size()));

  std::thread pinned([&] {
    const std::vector<int> last = {all.back()};
    ASSERT_TRUE(pin_to_cores(last));
    EXPECT_EQ(sched_getcpu(), all.back());
    EXPECT_EQ(usable_cores(), all);
    std::thread child([&] { EXPECT_EQ(sched_getcpu(), all.back()); });  // inherits
    child.join();
    ASSERT_TRUE(pin_to_cores(all));
  });
  pinned.join();
}

TEST(NumVoluntarySwitches, GrowsWhenTheThreadSleeps) {
  const std::int64_t before = num_voluntary_switches();

  std::this_thread::sleep_for(std::chrono::milliseconds(1));

  EXPECT_GT(num_voluntary_switches(), before);
}

TEST(IsRunnable, TrueForComputingThreadsOnly) {
  std::atomic<int> computing = 0;
  std::atomic<int> waiting = 0;
  std::atomic<bool> is_over = false;
  std::thread worker([&] {
    computing = thread_id();
    while (!is_over) {
    }
  });
  std::thread waiter([&] {
    waiting = thread_id();
    is_over.wait(false);
  });
  while (computing == 0 || waiting == 0 || is_runnable(waiting))  // until the waiter blocks
    std::this_thread::sleep_for(std::chrono::milliseconds(1));

  EXPECT_TRUE(is_runnable(computing));

  is_over = true;
  is_over.notify_all();
  worker.join();
  waiter.join();
  EXPECT_FALSE(is_runnable(waiting));
}

TEST(PinToCores, RefusesAnEmptySet) {
  std::thread other([] { EXPECT_FALSE(pin_to_cores({})); });
  other.join();
}

TEST(ShareCores, ModelAndLoaderShareFewCores) {
  const std::vector<int> two = {0, 1};
  EXPECT_EQ(share_cores(two),
            (CoreShares{.model = {0, 1}, .loader = {0, 1}, .loader_is_idle_priority = true}));
}

TEST(ShareCores, LoaderGetsEveryFourthCore) {
  const std::vector<int> nine = {0, 1, 2, 3, 8, 9, 10, 11, 12};

  const CoreShares shares = share_cores(nine);

  EXPECT_EQ(shares.loader, (std::vector<int>{3, 11}));
  EXPECT_EQ(shares.model, (std::vector<int>{0, 1, 2, 8, 9, 10, 12}));
  EXPECT_FALSE(shares.loader_is_idle_priority);
}

}  // namespace
}  // namespace myxtts::base
