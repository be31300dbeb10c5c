#include "step/thread_pool_torch.h"

#include <mutex>
#include <set>
#include <thread>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "base/threads.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::step {
namespace {

// Returns the cores on which a parallel loop of this thread runs.
std::set<int> cores_of_the_pool() {
  std::set<int> cores;
  std::mutex mutex;
  at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t, std::int64_t) {
    const std::scoped_lock lock(mutex);
    cores.insert(sched_getcpu());
  });
  return cores;
}

// Runs in a new thread, whose thread pool ends with it.
TEST(PinPool, PinsEveryThreadToItsOwnCore) {
  const std::vector<int>& cores = base::usable_cores();
  if (cores.size() < 2) GTEST_SKIP() << "one core";
  const std::vector<int> two = {cores[0], cores[1]};
  std::thread([&] {
    const model::ThreadsGuard threads(2);
    pin_pool(two);
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(cores_of_the_pool(), std::set<int>(two.begin(), two.end()));
  }).join();
}

TEST(PinPool, DoesNotPinASingleThread) {
  std::thread([] {
    const model::ThreadsGuard threads(1);
    pin_pool(base::usable_cores());
    cpu_set_t set;
    sched_getaffinity(0, sizeof(set), &set);
    EXPECT_EQ(CPU_COUNT(&set), base::num_usable_cores());
  }).join();
}

}  // namespace
}  // namespace myxtts::step
