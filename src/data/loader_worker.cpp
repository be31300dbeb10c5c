#include "data/loader_worker.h"

#include <algorithm>

#include "base/threads.h"
#include "base/trace.h"

namespace myxtts::data {
namespace {

// Multiplies the read timeout of a worker that waits for a core, as an idle-priority worker does on
// a busy machine.
constexpr int kTimeoutFactorWithoutCore = 10;

}  // namespace

WorkClock::WorkClock() : cpu_s_(base::thread_cpu_s()), wall_(std::chrono::steady_clock::now()) {}

WorkClock::Elapsed WorkClock::elapsed() const {
  const double busy_s = base::thread_cpu_s() - cpu_s_;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_;
  return {.busy_s = busy_s, .wall_s = wall.count()};
}

LoaderState::LoaderState(BatchSampler& borrowed, PrefetchSettings chosen)
    : sampler(borrowed),
      settings(std::move(chosen)),
      queue(borrowed, settings.buffer, settings.is_idle_priority) {}

void LoaderState::count_batch(const WorkClock::Elapsed& elapsed) {
  ++report.num_batches;
  report.busy_s += elapsed.busy_s;
  report.waiting_s += std::max(0.0, elapsed.wall_s - elapsed.busy_s);
}

std::shared_ptr<LoaderWorker> LoaderWorker::start(std::shared_ptr<LoaderState> state,
                                                  WorkerRole role) {
  const std::shared_ptr<LoaderWorker> worker(new LoaderWorker(std::move(state), role));
  worker->thread_ = std::thread([worker] {
    try {
      worker->work();
    } catch (...) {
      worker->fail(std::current_exception());
    }
    worker->has_ended_ = true;
  });
  return worker;
}

bool LoaderWorker::is_stuck() const {
  if (scratch_.is_abandoned.load(std::memory_order_relaxed)) return false;
  const Clock::duration since = scratch_.read_timer.since();
  const Clock::duration elapsed = ReadTimer::elapsed_since(since);
  const auto timeout = state_->settings.read_timeout;
  if (elapsed < timeout) return false;
  if (elapsed < kTimeoutFactorWithoutCore * timeout && base::is_runnable(thread_id_)) return false;
  // A read that has just returned is not stuck: the thread waits for the lock of the caller.
  return scratch_.read_timer.since() == since;
}

// A stuck worker may never return. It owns the state and the mel store, and uses nothing else.
void LoaderWorker::join_or_detach() {
  while (!has_ended_ && scratch_.read_timer.elapsed() < state_->settings.read_timeout)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (has_ended_) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

// Body of the thread. Runs without the lock.
void LoaderWorker::work() {
  const PrefetchSettings& settings = state_->settings;
  if (!settings.cores.empty()) base::pin_to_cores(settings.cores);
  if (role_ == WorkerRole::kIdlePriority) base::set_idle_priority();
  thread_id_ = base::thread_id();
  base::name_thread(role_ == WorkerRole::kFallback ? "loader (fallback)" : "loader");
  while (true) {
    std::unique_ptr<Batch> batch;
    const std::optional<BatchJob> job = wait_for_job(batch);
    if (!job) return;
    std::exception_ptr fault;
    const WorkClock clock;
    try {
      const base::Span span("collate", job->next.batch);
      state_->sampler.collate(*job, scratch_, *batch);
    } catch (const Abandoned&) {
      return;  // everything but the state and the mel store may be destroyed
    } catch (...) {
      fault = std::current_exception();
    }
    deliver({.batch = std::move(batch), .fault = std::move(fault)}, clock);
  }
}

std::optional<BatchJob> LoaderWorker::wait_for_job(std::unique_ptr<Batch>& batch) {
  LoaderState& state = *state_;
  std::unique_lock lock(state.mutex);
  while (true) {
    const auto start = Clock::now();
    if (role_ != WorkerRole::kFallback) blocked_since_ = start;
    state.room.wait(lock, [&] { return is_over() || state.queue.has_work_for(role_); });
    if (std::exchange(blocked_since_, {})) {
      const std::chrono::duration<double> blocked = Clock::now() - start;
      state.report.blocked_s += blocked.count();
    }
    if (is_over()) return std::nullopt;
    item_ = state.queue.take_work(role_, batch);
    if (item_) return item_->job;
    state.ready.notify_all();
  }
}

// The caller holds the lock. A worker that was abandoned just when its read returned has already
// been replaced, so it must not take another item.
bool LoaderWorker::is_over() const {
  return state_->is_stopping || scratch_.is_abandoned.load(std::memory_order_acquire);
}

void LoaderWorker::deliver(BufferEntry entry, const WorkClock& clock) {
  const WorkClock::Elapsed elapsed = clock.elapsed();
  {
    const std::scoped_lock lock(state_->mutex);
    state_->count_batch(elapsed);
    // The consumer becomes the last owner of an exception and frees it.
    if (!state_->queue.put(revoke_item(), std::move(entry))) return;
  }
  state_->ready.notify_all();
}

// Reports an exception that belongs to no batch.
void LoaderWorker::fail(std::exception_ptr fault) {
  {
    const std::scoped_lock lock(state_->mutex);
    if (!state_->fault) state_->fault = std::move(fault);
  }
  state_->ready.notify_all();
}

}  // namespace myxtts::data
