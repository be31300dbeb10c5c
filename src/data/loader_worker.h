// Worker threads of the prefetcher and the state that they share with it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "data/prefetcher.h"
#include "data/work_queue.h"

namespace myxtts::data {

// Measures CPU and wall time of the calling thread since construction.
class WorkClock {
 public:
  struct Elapsed {
    double busy_s = 0.0;  // CPU time of the thread
    double wall_s = 0.0;
  };

  WorkClock();
  Elapsed elapsed() const;

 private:
  double cpu_s_;
  std::chrono::steady_clock::time_point wall_;
};

// State that the prefetcher shares with its workers. An abandoned worker may be its last owner.
struct LoaderState {
  LoaderState(BatchSampler& borrowed, PrefetchSettings chosen);

  // Adds a collated batch to the report. The caller holds the lock.
  void count_batch(const WorkClock::Elapsed& elapsed);

  BatchSampler& sampler;  // borrowed; only collate() may be called without the lock
  const PrefetchSettings settings;
  mutable std::mutex mutex;       // guards all members below
  std::condition_variable ready;  // wakes the consumer
  std::condition_variable room;   // wakes the workers
  WorkQueue queue;
  bool is_stopping = false;  // workers end
  std::exception_ptr fault;  // error of a worker that belongs to no batch
  PrefetchReport report;     // running counts
};

// A thread that collates batches until the state stops or the worker is abandoned because a read
// does not end. An exception of a batch goes into its buffer entry; any other exception becomes
// LoaderState::fault.
//
// The worker shares the state and keeps itself alive. The sampler must outlive it, unless the
// worker is abandoned during a read: then it uses only the state and the mel store. The owner calls
// abandon() and join_or_detach() before it drops its last reference.
class LoaderWorker {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts a thread, with or without the lock. Throws std::system_error if that fails.
  static std::shared_ptr<LoaderWorker> start(std::shared_ptr<LoaderState> state, WorkerRole role);
  LoaderWorker(const LoaderWorker&) = delete;
  LoaderWorker& operator=(const LoaderWorker&) = delete;

  WorkerRole role() const { return role_; }

  // Callable from any thread, with or without the lock:

  // Returns whether the current read exceeds the read timeout and the worker is not abandoned yet.
  // A worker that waits for a core, not for data, has a longer timeout.
  bool is_stuck() const;
  std::size_t utterance() const { return scratch_.read_timer.utterance(); }  // of the last read
  // Makes the worker end when its read returns, without taking another item. The caller notifies
  // `room` in case the worker waits there.
  void abandon() { scratch_.is_abandoned.store(true, std::memory_order_release); }

  // Callable with the lock held:

  const std::optional<WorkItem>& item() const { return item_; }
  // Takes the item away from the worker. Its result is dropped.
  std::optional<WorkItem> revoke_item() { return std::exchange(item_, {}); }
  // Returns how long the worker has been waiting for room; always zero for the fallback worker.
  Clock::duration blocked(Clock::time_point now) const {
    return blocked_since_ ? now - *blocked_since_ : Clock::duration(0);
  }

  // Called once, without the lock, after abandon() and with a stopping state. Joins the thread, or
  // detaches it when its read exceeds the read timeout.
  void join_or_detach();

 private:
  LoaderWorker(std::shared_ptr<LoaderState> state, WorkerRole role)
      : state_(std::move(state)), role_(role) {}

  void work();
  bool is_over() const;
  std::optional<BatchJob> wait_for_job(std::unique_ptr<Batch>& batch);
  void deliver(BufferEntry entry, const WorkClock& clock);
  void fail(std::exception_ptr fault);

  const std::shared_ptr<LoaderState> state_;  // shared with the prefetcher and the other workers
  const WorkerRole role_;
  std::thread thread_;
  CollatorScratch scratch_;
  std::optional<WorkItem> item_;                    // guarded by the lock
  std::optional<Clock::time_point> blocked_since_;  // guarded by the lock
  std::atomic<int> thread_id_ = 0;
  std::atomic<bool> has_ended_ = false;
};

}  // namespace myxtts::data
