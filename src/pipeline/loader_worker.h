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

#include "pipeline/prefetcher.h"
#include "pipeline/work_queue.h"

namespace xtts::pipeline {

// What the calling thread's work takes since the clock was made.
class WorkClock {
 public:
  struct Taken {
    double busy_s = 0.0;  // of its processor
    double wall_s = 0.0;
  };

  WorkClock();
  Taken taken() const;

 private:
  double cpu_s_;
  std::chrono::steady_clock::time_point wall_;
};

// What who asks for updates and the workers who make them have in common. A worker that is stuck
// may be the last who has it.
struct LoaderState {
  LoaderState(BatchSampler& borrowed, PrefetchSettings chosen);

  // With the lock held.
  void count_made(const WorkClock::Taken& taken);

  BatchSampler& loader;  // borrowed; all but make() only with the lock held
  const PrefetchSettings settings;
  mutable std::mutex mutex;       // of what follows
  std::condition_variable ready;  // for who asks
  std::condition_variable room;   // for the workers
  WorkQueue tickets;
  bool is_stopping = false;  // workers end when they come back
  std::exception_ptr fault;  // of nobody's update
  PrefetchReport report;     // what is counted in passing
};

// A thread that makes update after update of a desk until that stops, or until it is given up
// because a read of its does not end. What making one throws is laid into its slot; what no update
// stands for becomes the fault of the desk.
//
// It shares the desk and keeps itself alive; the loader must outlive it unless it is given up while
// it reads: then it uses the desk and the store of the mels, and nothing else. Whoever starts one
// calls give_up() and leave() before the last reference of theirs goes.
class LoaderWorker {
 public:
  using Clock = std::chrono::steady_clock;

  // Any thread, with or without the lock. Throws std::system_error if there is no thread to be had.
  static std::shared_ptr<LoaderWorker> start(std::shared_ptr<LoaderState> desk, WorkerRole role);
  LoaderWorker(const LoaderWorker&) = delete;
  LoaderWorker& operator=(const LoaderWorker&) = delete;

  WorkerRole role() const { return role_; }

  // Any thread, with or without the lock.

  // Whether its read has taken longer than the patience of the settings, and it was not yet given
  // up. With one that has no core rather than no data the patience is larger.
  bool is_stuck() const;
  std::size_t utterance() const { return scratch_.watch.utterance(); }  // that it read last
  // It ends when its read returns, and takes no other ticket; where it waits for room, who gives it
  // up tells `room`.
  void give_up() { scratch_.is_abandoned.store(true, std::memory_order_release); }

  // With the lock held.

  const std::optional<WorkItem>& ticket() const { return ticket_; }
  // What it makes is thrown away.
  std::optional<WorkItem> take_ticket_away() { return std::exchange(ticket_, {}); }
  // How long it has had no work, if that goes on; never of the rescue, which only stands by.
  Clock::duration blocked(Clock::time_point now) const {
    return blocked_since_ ? now - *blocked_since_ : Clock::duration(0);
  }

  // Without the lock, once, given up and with the desk stopping: returns when it has ended, or
  // leaves it to itself when its read has taken longer than the patience.
  void leave();

 private:
  LoaderWorker(std::shared_ptr<LoaderState> desk, WorkerRole role)
      : desk_(std::move(desk)), role_(role) {}

  void work();
  bool is_over() const;
  std::optional<BatchJob> wait_for_work(std::unique_ptr<Batch>& update);
  void lay_down(Slot made, const WorkClock& clock);
  void fail(std::exception_ptr fault);

  const std::shared_ptr<LoaderState> desk_;
  const WorkerRole role_;
  std::thread thread_;
  CollatorScratch scratch_;
  std::optional<WorkItem> ticket_;                  // under the lock
  std::optional<Clock::time_point> blocked_since_;  // under the lock
  std::atomic<int> thread_id_ = 0;
  std::atomic<bool> has_ended_ = false;
};

}  // namespace xtts::pipeline
