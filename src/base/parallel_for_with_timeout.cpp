#include "base/parallel_for_with_timeout.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/interrupt.h"
#include "base/threads.h"

namespace myxtts::base {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Interval at which the caller checks for timeouts.
constexpr milliseconds kPollInterval(50);
// Multiplies the timeout of work that waits for a core instead of a disk.
constexpr int kTimeoutFactorWithoutCore = 10;
// Time that running work gets to finish at shutdown.
constexpr milliseconds kShutdownGrace(500);

// The state shared by the caller and its workers. Abandoned workers may outlive the caller.
class AbandoningPool : public std::enable_shared_from_this<AbandoningPool> {
 public:
  AbandoningPool(std::size_t count, const AbandonableWork& work) : count_(count), work_(work) {}

  void start_worker() {
    const std::scoped_lock lock(mutex_);
    auto worker = std::make_shared<Worker>();
    worker->thread = std::thread([pool = shared_from_this(), worker] { pool->run(*worker); });
    workers_.push_back(std::move(worker));
  }

  // Blocks for at most kPollInterval until there are completions. Returns false if no work is
  // pending. Rethrows an exception of the work.
  bool poll(std::vector<Completion>& done, std::vector<std::size_t>& timed_out) {
    std::unique_lock lock(mutex_);
    const Clock::time_point start = Clock::now();
    changed_.wait_for(
        lock, kPollInterval, [this] { return !done_.empty() || failure_ || has_ended(); });
    // The bound excludes time in which the process was stopped (Ctrl-Z).
    waited_ += std::min<Clock::duration>(Clock::now() - start, 2 * kPollInterval);
    if (failure_) std::rethrow_exception(failure_);
    done = std::exchange(done_, {});
    find_timed_out(timed_out);
    return !done.empty() || !timed_out.empty() || !has_ended();
  }

  // Stops the pool. Workers that do not end within kShutdownGrace are detached.
  void shut_down() {
    std::vector<std::shared_ptr<Worker>> workers;
    {
      std::unique_lock lock(mutex_);
      is_over_ = true;
      changed_.wait_for(lock, kShutdownGrace, [this] {
        return std::ranges::all_of(
            workers_, [](const auto& worker) { return worker->has_ended || worker->is_abandoned; });
      });
      workers = workers_;
      for (const auto& worker : workers)
        worker->is_detached = !worker->has_ended;
    }
    for (const auto& worker : workers) {
      if (worker->is_detached) {
        worker->thread.detach();
      } else {
        worker->thread.join();
      }
    }
  }

 private:
  // All members except thread_id are guarded by mutex_.
  struct Worker {
    std::thread thread;
    std::atomic<int> thread_id = 0;
    std::optional<std::size_t> index;  // current iteration
    Clock::duration start{};           // of the iteration, as a value of waited_
    bool is_abandoned = false;         // timed out and replaced
    bool has_ended = false;
    bool is_detached = false;
  };

  bool has_ended() const {
    return next_ == count_ && std::ranges::all_of(workers_, [](const auto& worker) {
             return !worker->index || worker->is_abandoned;
           });
  }

  void find_timed_out(std::vector<std::size_t>& timed_out) {
    for (const auto& worker : workers_) {
      if (!worker->index || worker->is_abandoned) continue;
      const Clock::duration elapsed = waited_ - worker->start;
      if (elapsed < work_.timeout) continue;
      if (elapsed < kTimeoutFactorWithoutCore * work_.timeout && is_runnable(worker->thread_id)) {
        continue;
      }
      worker->is_abandoned = true;
      timed_out.push_back(*worker->index);
    }
  }

  // Body of a worker thread.
  void run(Worker& worker) {
    worker.thread_id = thread_id();
    pin_to_cores(usable_cores());  // the calling thread may be pinned
    while (const std::optional<std::size_t> index = take_index(worker)) {
      Completion completion;
      std::exception_ptr failure;
      try {
        completion = work_.work(*index);
      } catch (...) {
        failure = std::current_exception();
      }
      finish(worker, std::move(completion), std::move(failure));
    }
  }

  std::optional<std::size_t> take_index(Worker& worker) {
    const std::scoped_lock lock(mutex_);
    if (is_over_ || worker.is_abandoned || failure_ || next_ == count_) {
      worker.has_ended = true;
      changed_.notify_all();
      return std::nullopt;
    }
    worker.index = next_++;
    worker.start = waited_;
    return worker.index;
  }

  void finish(Worker& worker, Completion completion, std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    worker.index.reset();
    if (failure && !failure_) failure_ = std::move(failure);
    if (completion && !is_over_) done_.push_back(std::move(completion));
    changed_.notify_all();
  }

  const std::size_t count_;
  const AbandonableWork work_;
  std::mutex mutex_;
  std::condition_variable changed_;  // wakes the caller
  std::vector<std::shared_ptr<Worker>> workers_;
  std::vector<Completion> done_;
  std::exception_ptr failure_;  // only the first is kept
  Clock::duration waited_{};
  std::size_t next_ = 0;
  bool is_over_ = false;
};

// Shuts the pool down on return and on exceptions.
struct ShutdownGuard {
  const std::shared_ptr<AbandoningPool>& pool;

  ~ShutdownGuard() { pool->shut_down(); }
};

}  // namespace

void parallel_for_with_timeout(std::size_t count, int num_workers, const AbandonableWork& work) {
  const auto pool = std::make_shared<AbandoningPool>(count, work);
  const ShutdownGuard guard{pool};
  const std::size_t num_threads =
      std::min(count, static_cast<std::size_t>(std::max(1, num_workers)));
  for (std::size_t i = 0; i < num_threads; ++i)
    pool->start_worker();

  std::vector<Completion> done;
  std::vector<std::size_t> timed_out;
  while (pool->poll(done, timed_out)) {
    check_interrupt();
    for (const Completion& completion : done)
      completion();
    for (const std::size_t index : timed_out) {
      pool->start_worker();
      work.on_timeout(index);
    }
    done.clear();
    timed_out.clear();
  }
}

}  // namespace myxtts::base
