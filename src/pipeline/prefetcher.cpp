#include "pipeline/prefetcher.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"
#include "pipeline/loader_worker.h"

namespace xtts::pipeline {
namespace {

// Before who waits has a guest's work done by the rescue.
constexpr std::chrono::milliseconds kWaitForAGuest(2);

}  // namespace

// The side of who asks; the other one is that of the workers, at the same desk.
class Prefetcher::State {
 public:
  using Clock = LoaderWorker::Clock;

  State(BatchSampler& loader, PrefetchSettings settings)
      : desk_(std::make_shared<LoaderState>(loader, std::move(settings))) {}

  void start() {
    const std::scoped_lock lock(desk_->mutex);
    const PrefetchSettings& settings = desk_->settings;
    for (int i = 0; i < settings.num_workers; ++i)
      start_worker(settings.is_idle_priority ? WorkerRole::kIdlePriority : WorkerRole::kWorker);
    if (settings.is_idle_priority && settings.num_workers > 0) start_worker(WorkerRole::kFallback);
  }

  void stop() {
    {
      const std::scoped_lock lock(desk_->mutex);
      desk_->is_stopping = true;
    }
    desk_->room.notify_all();
    for (const auto& worker : workers_)
      worker->give_up();
    for (const auto& worker : workers_)
      worker->leave();
  }

  // Nothing if it is not ready at `end`.
  std::unique_ptr<Batch> next(Clock::time_point end) {
    std::unique_lock lock(desk_->mutex);
    if (workers_.empty()) return make_here(lock);
    const auto is_there = [&] { return desk_->fault || tickets().slots().is_ready(); };
    if (!wait_until(lock, end, is_there)) return nullptr;
    if (desk_->fault) std::rethrow_exception(std::exchange(desk_->fault, {}));
    Slot taken = tickets().take_first();
    lock.unlock();
    desk_->room.notify_all();
    if (taken.fault) std::rethrow_exception(taken.fault);
    return std::move(taken.update);
  }

  std::unique_ptr<Batch> next_if_ready() {
    Slot taken;
    {
      const std::scoped_lock lock(desk_->mutex);
      if (workers_.empty() || !tickets().slots().is_ready() || has_fault()) return nullptr;
      taken = tickets().take_first();
    }
    desk_->room.notify_all();
    return std::move(taken.update);
  }

  void give_back(std::unique_ptr<Batch> update) {
    const std::scoped_lock lock(desk_->mutex);
    tickets().keep(std::move(update));
  }

  void seek(const LoaderPosition& position) {
    {
      const std::scoped_lock lock(desk_->mutex);
      tickets().seek(position);
    }
    desk_->room.notify_all();
  }

  bool wait_until_ready(std::int64_t count, std::chrono::milliseconds deadline) {
    std::unique_lock lock(desk_->mutex);
    if (workers_.empty()) return false;
    tickets().fill_up();
    return wait_until(lock, Clock::now() + deadline, [&] {
      const ReorderBuffer& slots = tickets().slots();
      return slots.num_in_order() >= std::min(count, slots.capacity()) || has_fault();
    });
  }

  void fill_up() {
    {
      const std::scoped_lock lock(desk_->mutex);
      tickets().fill_up();
    }
    desk_->room.notify_all();
  }

  void resize(std::int64_t buffer) {
    {
      const std::scoped_lock lock(desk_->mutex);
      tickets().resize(std::max<std::int64_t>(1, buffer));
    }
    desk_->room.notify_all();
  }

  PrefetchReport report() const {
    const std::scoped_lock lock(desk_->mutex);
    PrefetchReport report = desk_->report;
    report.num_workers = desk_->settings.num_workers;
    report.depth = desk_->tickets.slots().num_in_order();
    report.held = desk_->tickets.slots().num_ready();
    const auto now = Clock::now();
    for (const auto& worker : workers_)
      report.blocked_s += std::chrono::duration<double>(worker->blocked(now)).count();
    return report;
  }

  const Collator& maker() const { return desk_->loader.maker(); }

 private:
  // What follows is called with the lock held.

  WorkQueue& tickets() { return desk_->tickets; }

  bool has_fault() const { return desk_->fault || desk_->tickets.slots().has_fault(); }

  void start_worker(WorkerRole role) { workers_.push_back(LoaderWorker::start(desk_, role)); }

  // Sleeps until something is so; meanwhile the rescue works too and nobody is stuck for long.
  template <typename Condition>
  bool wait_until(std::unique_lock<std::mutex>& lock,
                  Clock::time_point end,
                  const Condition& condition) {
    if (condition()) return true;
    tickets().set_asking(true);
    desk_->room.notify_all();
    while (!condition() && Clock::now() < end) {
      desk_->ready.wait_for(lock, kWaitForAGuest);
      if (!condition()) hand_over_the_first();
      if (!condition()) give_up_who_is_stuck();
    }
    tickets().set_asking(false);
    return condition();
  }

  // Without workers: the lock is of no importance, as nobody else is there.
  std::unique_ptr<Batch> make_here(std::unique_lock<std::mutex>& lock) {
    std::unique_ptr<Batch> update;
    const BatchJob job = tickets().take_for_oneself(update);
    lock.unlock();
    const WorkClock clock;
    desk_->loader.make(job, scratch_, *update);
    const WorkClock::Taken taken = clock.taken();
    lock.lock();
    desk_->count_made(taken);
    return update;
  }

  // Who waits does not wait for a guest: the rescue makes the same again.
  void hand_over_the_first() {
    for (const auto& worker : workers_) {
      if (worker->role() != WorkerRole::kIdlePriority || !tickets().is_first(worker->ticket()))
        continue;
      tickets().hand_over(worker->take_ticket_away());
      desk_->room.notify_all();
    }
  }

  // A worker whose read does not end is left to itself, with work that is wanted or without: a new
  // one takes its place. Its utterance is lost, and another worker makes its update.
  void give_up_who_is_stuck() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const std::shared_ptr<LoaderWorker> worker = workers_[i];
      if (!worker->is_stuck()) continue;
      const std::optional<WorkItem> ticket = worker->take_ticket_away();
      const std::size_t utterance = worker->utterance();
      worker->give_up();
      ++desk_->report.num_stuck;
      start_worker(worker->role());
      try {
        const std::string reason = stuck_reason(desk_->settings.patience);
        maker().lost().lose(utterance, maker().features_of(utterance).id, reason);
        tickets().hand_over(ticket);
      } catch (const UserError&) {
        const bool is_laid =
            tickets().lay(ticket, {.update = nullptr, .fault = std::current_exception()});
        if (!is_laid) desk_->fault = std::current_exception();
      }
      desk_->room.notify_all();
    }
  }

  const std::shared_ptr<LoaderState> desk_;
  std::vector<std::shared_ptr<LoaderWorker>> workers_;
  CollatorScratch scratch_;  // of who asks
};

Prefetcher::Prefetcher(BatchSampler& loader, PrefetchSettings settings)
    : state_(std::make_unique<State>(loader, std::move(settings))) {
  state_->start();
}

Prefetcher::~Prefetcher() {
  state_->stop();
}

std::unique_ptr<Batch> Prefetcher::next() {
  return state_->next(State::Clock::time_point::max());
}

std::unique_ptr<Batch> Prefetcher::next_within(std::chrono::milliseconds time) {
  return state_->next(State::Clock::now() + time);
}

std::unique_ptr<Batch> Prefetcher::next_if_ready() {
  return state_->next_if_ready();
}

void Prefetcher::give_back(std::unique_ptr<Batch> update) {
  state_->give_back(std::move(update));
}

void Prefetcher::seek(const LoaderPosition& position) {
  state_->seek(position);
}

bool Prefetcher::wait_until_ready(std::int64_t count, std::chrono::milliseconds deadline) {
  return state_->wait_until_ready(count, deadline);
}

void Prefetcher::fill_up() {
  state_->fill_up();
}

void Prefetcher::resize(std::int64_t buffer) {
  state_->resize(buffer);
}

PrefetchReport Prefetcher::report() const {
  return state_->report();
}

const Collator& Prefetcher::maker() const {
  return state_->maker();
}

}  // namespace xtts::pipeline
