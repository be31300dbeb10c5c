#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/interrupt.h"
#include "base/threads.h"

namespace myxtts::base {

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
  std::exception_ptr failure;  // guarded by mutex; only the first is kept
  auto run_worker = [&] {
    pin_to_cores(usable_cores());  // the calling thread may be pinned
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
      threads.emplace_back(run_worker);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace myxtts::base
