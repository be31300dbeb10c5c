#include "pipeline/loader_worker.h"

#include <algorithm>

#include "base/threads.h"
#include "base/trace.h"

namespace xtts::pipeline {
namespace {

// Times the patience, with one that has no core rather than no data: a guest on a busy machine.
constexpr int kPatienceWithoutCore = 10;

}  // namespace

WorkClock::WorkClock() : cpu_s_(base::thread_cpu_s()), wall_(std::chrono::steady_clock::now()) {}

WorkClock::Taken WorkClock::taken() const {
  const double busy_s = base::thread_cpu_s() - cpu_s_;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_;
  return {.busy_s = busy_s, .wall_s = wall.count()};
}

LoaderState::LoaderState(BatchSampler& borrowed, PrefetchSettings chosen)
    : loader(borrowed),
      settings(std::move(chosen)),
      tickets(borrowed, settings.buffer, settings.is_idle_priority) {}

void LoaderState::count_made(const WorkClock::Taken& taken) {
  ++report.num_made;
  report.busy_s += taken.busy_s;
  report.waiting_s += std::max(0.0, taken.wall_s - taken.busy_s);
}

std::shared_ptr<LoaderWorker> LoaderWorker::start(std::shared_ptr<LoaderState> desk,
                                                  WorkerRole role) {
  const std::shared_ptr<LoaderWorker> worker(new LoaderWorker(std::move(desk), role));
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
  const Clock::duration since = scratch_.watch.since();
  const Clock::duration taken = ReadTimer::taken_since(since);
  const auto patience = desk_->settings.patience;
  if (taken < patience) return false;
  if (taken < kPatienceWithoutCore * patience && base::wants_core(thread_id_)) return false;
  // Not if the read has just returned: what the thread waits for then is the lock of who asks.
  return scratch_.watch.since() == since;
}

// One that is stuck may never return; it holds the desk and the store, and nothing else.
void LoaderWorker::leave() {
  while (!has_ended_ && scratch_.watch.taken() < desk_->settings.patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (has_ended_) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

// The body of the thread; what follows is without the lock.
void LoaderWorker::work() {
  const PrefetchSettings& settings = desk_->settings;
  if (!settings.cores.empty()) base::run_on(settings.cores);
  if (role_ == WorkerRole::kIdlePriority) base::run_when_idle();
  thread_id_ = base::thread_id();
  base::name_thread(role_ == WorkerRole::kFallback ? "loader (rescue)" : "loader");
  while (true) {
    std::unique_ptr<Batch> update;
    const std::optional<BatchJob> job = wait_for_work(update);
    if (!job) return;
    std::exception_ptr fault;
    const WorkClock clock;
    try {
      const base::Span span("make update", job->next.update);
      desk_->loader.make(*job, scratch_, *update);
    } catch (const Abandoned&) {
      return;  // everything but the desk and the store may be gone
    } catch (...) {
      fault = std::current_exception();
    }
    lay_down({.update = std::move(update), .fault = std::move(fault)}, clock);
  }
}

std::optional<BatchJob> LoaderWorker::wait_for_work(std::unique_ptr<Batch>& update) {
  LoaderState& desk = *desk_;
  std::unique_lock lock(desk.mutex);
  while (true) {
    const auto start = Clock::now();
    if (role_ != WorkerRole::kFallback) blocked_since_ = start;
    desk.room.wait(lock, [&] { return is_over() || desk.tickets.has_work_for(role_); });
    if (std::exchange(blocked_since_, {})) {
      const std::chrono::duration<double> blocked = Clock::now() - start;
      desk.report.blocked_s += blocked.count();
    }
    if (is_over()) return std::nullopt;
    ticket_ = desk.tickets.take_work(role_, update);
    if (ticket_) return ticket_->job;
    desk.ready.notify_all();
  }
}

// With the lock held. One that was given up in the moment in which its read returned has another in
// its place: a ticket that it took now would be made by nobody.
bool LoaderWorker::is_over() const {
  return desk_->is_stopping || scratch_.is_abandoned.load(std::memory_order_acquire);
}

void LoaderWorker::lay_down(Slot made, const WorkClock& clock) {
  const WorkClock::Taken taken = clock.taken();
  {
    const std::scoped_lock lock(desk_->mutex);
    desk_->count_made(taken);
    // Who asks is the last to have the exception, and frees it.
    if (!desk_->tickets.lay(take_ticket_away(), std::move(made))) return;
  }
  desk_->ready.notify_all();
}

// It has ended by what no update stands for.
void LoaderWorker::fail(std::exception_ptr fault) {
  {
    const std::scoped_lock lock(desk_->mutex);
    if (!desk_->fault) desk_->fault = std::move(fault);
  }
  desk_->ready.notify_all();
}

}  // namespace xtts::pipeline
