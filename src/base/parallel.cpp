#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/interrupt.h"
#include "base/threads.h"

namespace xtts::base {

void parallel_for(std::size_t count,
                  int num_workers,
                  const std::function<void(std::size_t)>& work) {
  if (num_workers <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      check_interrupt();
      work(i);
    }
    return;
  }

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;  // guarded by mutex; the first one is the cause
  auto take_turns = [&] {
    run_on(usable_cores());  // whoever calls may be pinned to one
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        check_interrupt();
        work(i);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    const auto num_threads = std::min(count, static_cast<std::size_t>(num_workers));
    for (std::size_t i = 0; i < num_threads; ++i)
      threads.emplace_back(take_turns);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace xtts::base
