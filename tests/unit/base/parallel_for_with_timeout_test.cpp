#include "base/parallel_for_with_timeout.h"

#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

using std::chrono::milliseconds;

// Blocks work until the gate opens. Shared with the workers, which may outlive the test's scope.
struct Gate {
  std::promise<void> opens;
  std::shared_future<void> opened = opens.get_future().share();
};

void fail_on_timeout(std::size_t index) {
  ADD_FAILURE() << index;
}

TEST(ParallelForWithTimeout, CompletesEveryIndexOnceOnTheCallersThread) {
  for (const int num_workers : {0, 1, 2, 4, 9}) {
    std::vector<int> completed(100);
    const auto caller = std::this_thread::get_id();

    parallel_for_with_timeout(completed.size(),
                              num_workers,
                              {.work = [&](std::size_t i) -> Completion {
                                 EXPECT_NE(std::this_thread::get_id(), caller);
                                 return [&, i] {
                                   EXPECT_EQ(std::this_thread::get_id(), caller);
                                   ++completed[i];
                                 };
                               },
                               .on_timeout = fail_on_timeout,
                               .timeout = milliseconds(10000)});

    EXPECT_EQ(completed, std::vector<int>(100, 1)) << num_workers << " workers";
  }
}

TEST(ParallelForWithTimeout, OneWorkerRunsInOrder) {
  std::vector<std::size_t> order;

  parallel_for_with_timeout(50,
                            1,
                            {.work = [&order](std::size_t i) -> Completion {
                               return [&order, i] { order.push_back(i); };
                             },
                             .on_timeout = fail_on_timeout,
                             .timeout = milliseconds(10000)});

  for (std::size_t i = 0; i < 50; ++i)
    EXPECT_EQ(order.at(i), i);
}

TEST(ParallelForWithTimeout, BlockedWorkIsAbandonedAndTheRestCompletes) {
  const auto gate = std::make_shared<Gate>();
  for (const int num_workers : {1, 3}) {
    std::set<std::size_t> completed;
    std::set<std::size_t> timed_out;

    parallel_for_with_timeout(20,
                              num_workers,
                              {.work = [gate, &completed](std::size_t i) -> Completion {
                                 if (i == 4 || i == 5 || i == 19) gate->opened.wait();
                                 return [i, &completed] { completed.insert(i); };
                               },
                               .on_timeout = [&timed_out](std::size_t i) { timed_out.insert(i); },
                               .timeout = milliseconds(100)});

    EXPECT_EQ(timed_out, (std::set<std::size_t>{4, 5, 19}));
    EXPECT_EQ(completed.size(), 17U);
  }
  gate->opens.set_value();
}

TEST(ParallelForWithTimeout, LateWorkIsStillCompleted) {
  const auto gate = std::make_shared<Gate>();
  const auto first_completed = std::make_shared<Gate>();
  std::map<std::size_t, int> completed;
  std::vector<std::size_t> timed_out;

  parallel_for_with_timeout(3,
                            1,
                            {.work = [=, &completed](std::size_t i) -> Completion {
                               if (i == 0) gate->opened.wait();
                               if (i == 2) first_completed->opened.wait();
                               return [=, &completed] {
                                 ++completed[i];
                                 if (i == 0) first_completed->opens.set_value();
                               };
                             },
                             .on_timeout =
                                 [&](std::size_t i) {
                                   timed_out.push_back(i);
                                   gate->opens.set_value();
                                 },
                             .timeout = milliseconds(500)});

  EXPECT_EQ(timed_out, (std::vector<std::size_t>{0}));
  EXPECT_EQ(completed, (std::map<std::size_t, int>{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(ParallelForWithTimeout, FirstExceptionStopsTheLoopAndIsRethrown) {
  std::atomic<int> calls{0};
  const auto work = [&](std::size_t) -> Completion {
    ++calls;
    throw std::runtime_error("broken");
  };

  EXPECT_THROW(parallel_for_with_timeout(
                   1000000, 3, {.work = work, .on_timeout = {}, .timeout = milliseconds(10000)}),
               std::runtime_error);

  EXPECT_LE(calls, 3);
}

TEST(ParallelForWithTimeout, ExceptionInOnTimeoutStopsTheLoop) {
  const auto gate = std::make_shared<Gate>();
  const auto work = [gate](std::size_t i) -> Completion {
    if (i == 7) gate->opened.wait();
    return [] {};
  };
  const auto on_timeout = [](std::size_t) { throw std::runtime_error("too many"); };

  EXPECT_THROW(parallel_for_with_timeout(
                   1000, 2, {.work = work, .on_timeout = on_timeout, .timeout = milliseconds(50)}),
               std::runtime_error);

  gate->opens.set_value();
}

}  // namespace
}  // namespace myxtts::base
