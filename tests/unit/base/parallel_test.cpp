#include "base/parallel.h"

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

TEST(ParallelFor, CallsEveryIndexOnceWithAnyNumberOfWorkers) {
  for (const int num_workers : {0, 1, 2, 4, 9}) {
    std::vector<std::atomic<int>> calls(100);

    parallel_for(calls.size(), num_workers, [&](std::size_t i) { ++calls[i]; });

    for (const auto& count : calls)
      EXPECT_EQ(count, 1) << num_workers << " workers";
  }
}

TEST(ParallelFor, OneWorkerRunsInlineAndInOrder) {
  std::vector<std::size_t> order;
  std::set<std::thread::id> threads;

  parallel_for(5, 1, [&](std::size_t i) {
    order.push_back(i);
    threads.insert(std::this_thread::get_id());
  });

  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(ParallelFor, FirstExceptionStopsTheLoopAndIsRethrown) {
  std::atomic<int> calls{0};

  EXPECT_THROW(parallel_for(1000000,
                            3,
                            [&](std::size_t) {
                              ++calls;
                              throw std::runtime_error("broken");
                            }),
               std::runtime_error);

  EXPECT_LE(calls, 3);
}

}  // namespace
}  // namespace myxtts::base
