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

namespace xtts::base {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often the one who waits looks about.
constexpr milliseconds kTurn(50);
// Times the patience, with work that lacks a core and not a disk.
constexpr int kPatienceWithoutCore = 10;
// For work that goes on when all is over.
constexpr milliseconds kGrace(500);

// Shared by the caller and its workers, of which some may outlive it.
class PatientPool : public std::enable_shared_from_this<PatientPool> {
 public:
  PatientPool(std::size_t count, const AbandonableWork& work) : count_(count), work_(work) {}

  void start_worker() {
    const std::scoped_lock lock(mutex_);
    auto worker = std::make_shared<Worker>();
    worker->thread = std::thread([pool = shared_from_this(), worker] { pool->run(*worker); });
    workers_.push_back(std::move(worker));
  }

  // Until the next turn, or until something has been done; false: there is nothing left to wait
  // for. Rethrows what work threw.
  bool take_turn(std::vector<Delivery>& done, std::vector<std::size_t>& stuck) {
    std::unique_lock lock(mutex_);
    const Clock::time_point start = Clock::now();
    changed_.wait_for(lock, kTurn, [this] { return !done_.empty() || failure_ || has_ended(); });
    // While this process stands still (Ctrl-Z), its work does too.
    waited_ += std::min<Clock::duration>(Clock::now() - start, 2 * kTurn);
    if (failure_) std::rethrow_exception(failure_);
    done = std::exchange(done_, {});
    find_stuck(stuck);
    return !done.empty() || !stuck.empty() || !has_ended();
  }

  // Nobody waits any more. Work that goes on for long is left to itself.
  void leave() {
    std::vector<std::shared_ptr<Worker>> workers;
    {
      std::unique_lock lock(mutex_);
      is_over_ = true;
      changed_.wait_for(lock, kGrace, [this] {
        return std::ranges::all_of(workers_,
                                   [](const auto& one) { return one->has_ended || one->is_stuck; });
      });
      workers = workers_;
      for (const auto& worker : workers)
        worker->is_left = !worker->has_ended;
    }
    for (const auto& worker : workers) {
      if (worker->is_left) {
        worker->thread.detach();
      } else {
        worker->thread.join();
      }
    }
  }

 private:
  // All under the lock but the number of the thread.
  struct Worker {
    std::thread thread;
    std::atomic<int> thread_id = 0;
    std::optional<std::size_t> index;  // that it works on
    Clock::duration since{};           // by `waited_`
    bool is_stuck = false;             // another has taken its place
    bool has_ended = false;
    bool is_left = false;
  };

  bool has_ended() const {
    return next_ == count_ && std::ranges::all_of(workers_, [](const auto& one) {
             return !one->index || one->is_stuck;
           });
  }

  void find_stuck(std::vector<std::size_t>& stuck) {
    for (const auto& worker : workers_) {
      if (!worker->index || worker->is_stuck) continue;
      const Clock::duration taken = waited_ - worker->since;
      if (taken < work_.patience) continue;
      if (taken < kPatienceWithoutCore * work_.patience && wants_core(worker->thread_id)) continue;
      worker->is_stuck = true;
      stuck.push_back(*worker->index);
    }
  }

  // The body of a thread.
  void run(Worker& worker) {
    worker.thread_id = thread_id();
    run_on(usable_cores());  // whoever calls may be pinned to one
    while (const std::optional<std::size_t> index = take_index(worker)) {
      Delivery delivery;
      std::exception_ptr failure;
      try {
        delivery = work_.work(*index);
      } catch (...) {
        failure = std::current_exception();
      }
      hand_in(worker, std::move(delivery), std::move(failure));
    }
  }

  std::optional<std::size_t> take_index(Worker& worker) {
    const std::scoped_lock lock(mutex_);
    if (is_over_ || worker.is_stuck || failure_ || next_ == count_) {
      worker.has_ended = true;
      changed_.notify_all();
      return std::nullopt;
    }
    worker.index = next_++;
    worker.since = waited_;
    return worker.index;
  }

  void hand_in(Worker& worker, Delivery delivery, std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    worker.index.reset();
    if (failure && !failure_) failure_ = std::move(failure);
    if (delivery && !is_over_) done_.push_back(std::move(delivery));
    changed_.notify_all();
  }

  const std::size_t count_;
  const AbandonableWork work_;
  std::mutex mutex_;
  std::condition_variable changed_;  // for who waits
  std::vector<std::shared_ptr<Worker>> workers_;
  std::vector<Delivery> done_;
  std::exception_ptr failure_;  // the first one is the cause
  Clock::duration waited_{};
  std::size_t next_ = 0;
  bool is_over_ = false;
};

// However it ends.
struct Leaving {
  const std::shared_ptr<PatientPool>& pool;

  ~Leaving() { pool->leave(); }
};

}  // namespace

void parallel_for_with_timeout(std::size_t count, int num_workers, const AbandonableWork& work) {
  const auto pool = std::make_shared<PatientPool>(count, work);
  const Leaving leaving{pool};
  const std::size_t num_threads =
      std::min(count, static_cast<std::size_t>(std::max(1, num_workers)));
  for (std::size_t i = 0; i < num_threads; ++i)
    pool->start_worker();

  std::vector<Delivery> done;
  std::vector<std::size_t> stuck;
  while (pool->take_turn(done, stuck)) {
    check_interrupt();
    for (const Delivery& delivery : done)
      delivery();
    for (const std::size_t index : stuck) {
      pool->start_worker();
      work.on_stuck(index);
    }
    done.clear();
    stuck.clear();
  }
}

}  // namespace xtts::base
