#include "data/prefetcher.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"
#include "data/loader_worker.h"

namespace myxtts::data {
namespace {

// Time that a waiting consumer gives an idle-priority worker before the fallback worker takes over.
constexpr std::chrono::milliseconds kIdleWorkerGrace(2);

}  // namespace

// The consumer side. The workers are the producer side; both share a LoaderState.
class Prefetcher::Impl {
 public:
  using Clock = LoaderWorker::Clock;

  Impl(BatchSampler& sampler, PrefetchSettings settings)
      : state_(std::make_shared<LoaderState>(sampler, std::move(settings))) {}

  void start() {
    const std::scoped_lock lock(state_->mutex);
    const PrefetchSettings& settings = state_->settings;
    for (int i = 0; i < settings.num_workers; ++i)
      start_worker(settings.is_idle_priority ? WorkerRole::kIdlePriority : WorkerRole::kWorker);
    if (settings.is_idle_priority && settings.num_workers > 0) start_worker(WorkerRole::kFallback);
  }

  void stop() {
    {
      const std::scoped_lock lock(state_->mutex);
      state_->is_stopping = true;
    }
    state_->room.notify_all();
    for (const auto& worker : workers_)
      worker->abandon();
    for (const auto& worker : workers_)
      worker->join_or_detach();
  }

  // Returns null if the batch is not ready at `end`.
  std::unique_ptr<Batch> next(Clock::time_point end) {
    std::unique_lock lock(state_->mutex);
    if (workers_.empty()) return collate_inline(lock);
    const auto is_ready = [&] { return state_->fault || queue().buffer().is_ready(); };
    if (!wait_until(lock, end, is_ready)) return nullptr;
    if (state_->fault) std::rethrow_exception(std::exchange(state_->fault, {}));
    BufferEntry entry = queue().take_first();
    lock.unlock();
    state_->room.notify_all();
    if (entry.fault) std::rethrow_exception(entry.fault);
    return std::move(entry.batch);
  }

  std::unique_ptr<Batch> next_if_ready() {
    BufferEntry entry;
    {
      const std::scoped_lock lock(state_->mutex);
      if (workers_.empty() || !queue().buffer().is_ready() || has_fault()) return nullptr;
      entry = queue().take_first();
    }
    state_->room.notify_all();
    return std::move(entry.batch);
  }

  void recycle(std::unique_ptr<Batch> batch) {
    const std::scoped_lock lock(state_->mutex);
    queue().recycle(std::move(batch));
  }

  void seek(const LoaderPosition& position) {
    {
      const std::scoped_lock lock(state_->mutex);
      queue().seek(position);
    }
    state_->room.notify_all();
  }

  bool wait_until_ready(std::int64_t count, std::chrono::milliseconds timeout) {
    std::unique_lock lock(state_->mutex);
    if (workers_.empty()) return false;
    queue().fill_up();
    return wait_until(lock, Clock::now() + timeout, [&] {
      const ReorderBuffer& buffer = queue().buffer();
      return buffer.num_in_order() >= std::min(count, buffer.capacity()) || has_fault();
    });
  }

  void fill_up() {
    {
      const std::scoped_lock lock(state_->mutex);
      queue().fill_up();
    }
    state_->room.notify_all();
  }

  void resize(std::int64_t buffer) {
    {
      const std::scoped_lock lock(state_->mutex);
      queue().resize(std::max<std::int64_t>(1, buffer));
    }
    state_->room.notify_all();
  }

  PrefetchReport report() const {
    const std::scoped_lock lock(state_->mutex);
    PrefetchReport report = state_->report;
    report.num_workers = state_->settings.num_workers;
    report.depth = state_->queue.buffer().num_in_order();
    report.held = state_->queue.buffer().num_ready();
    const auto now = Clock::now();
    for (const auto& worker : workers_)
      report.blocked_s += std::chrono::duration<double>(worker->blocked(now)).count();
    return report;
  }

  const Collator& collator() const { return state_->sampler.collator(); }

 private:
  // All functions below are called with the lock held.

  WorkQueue& queue() { return state_->queue; }

  bool has_fault() const { return state_->fault || state_->queue.buffer().has_fault(); }

  void start_worker(WorkerRole role) { workers_.push_back(LoaderWorker::start(state_, role)); }

  // Waits for a condition until `end`. Meanwhile the fallback worker runs; replaces stuck workers.
  template <typename Condition>
  bool wait_until(std::unique_lock<std::mutex>& lock,
                  Clock::time_point end,
                  const Condition& condition) {
    if (condition()) return true;
    queue().set_consumer_waiting(true);
    state_->room.notify_all();
    while (!condition() && Clock::now() < end) {
      state_->ready.wait_for(lock, kIdleWorkerGrace);
      if (!condition()) requeue_first_item();
      if (!condition()) replace_stuck_workers();
    }
    queue().set_consumer_waiting(false);
    return condition();
  }

  // Collates without workers. The lock only satisfies the interface of LoaderState.
  std::unique_ptr<Batch> collate_inline(std::unique_lock<std::mutex>& lock) {
    std::unique_ptr<Batch> batch;
    const BatchJob job = queue().take_inline(batch);
    lock.unlock();
    const WorkClock clock;
    state_->sampler.collate(job, scratch_, *batch);
    const WorkClock::Elapsed elapsed = clock.elapsed();
    lock.lock();
    state_->count_batch(elapsed);
    return batch;
  }

  // Lets the fallback worker collate the batch that the consumer waits for, if an idle-priority
  // worker has it.
  void requeue_first_item() {
    for (const auto& worker : workers_) {
      if (worker->role() != WorkerRole::kIdlePriority || !queue().is_first(worker->item()))
        continue;
      queue().requeue(worker->revoke_item());
      state_->room.notify_all();
    }
  }

  // Abandons every worker whose read does not end and starts a new one in its place. The utterance
  // is recorded as unreadable, and another worker collates the batch.
  void replace_stuck_workers() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const std::shared_ptr<LoaderWorker> worker = workers_[i];
      if (!worker->is_stuck()) continue;
      const std::optional<WorkItem> item = worker->revoke_item();
      const std::size_t utterance = worker->utterance();
      worker->abandon();
      ++state_->report.num_abandoned;
      start_worker(worker->role());
      try {
        const std::string reason = read_timeout_reason(state_->settings.read_timeout);
        collator().unreadable().add(utterance, collator().features_of(utterance).id, reason);
        queue().requeue(item);
      } catch (const UserError&) {
        const bool is_put =
            queue().put(item, {.batch = nullptr, .fault = std::current_exception()});
        if (!is_put) state_->fault = std::current_exception();
      }
      state_->room.notify_all();
    }
  }

  const std::shared_ptr<LoaderState> state_;
  std::vector<std::shared_ptr<LoaderWorker>> workers_;
  CollatorScratch scratch_;  // of the consumer
};

Prefetcher::Prefetcher(BatchSampler& sampler, PrefetchSettings settings)
    : impl_(std::make_unique<Impl>(sampler, std::move(settings))) {
  impl_->start();
}

Prefetcher::~Prefetcher() {
  impl_->stop();
}

std::unique_ptr<Batch> Prefetcher::next() {
  return impl_->next(Impl::Clock::time_point::max());
}

std::unique_ptr<Batch> Prefetcher::next_within(std::chrono::milliseconds time) {
  return impl_->next(Impl::Clock::now() + time);
}

std::unique_ptr<Batch> Prefetcher::next_if_ready() {
  return impl_->next_if_ready();
}

void Prefetcher::recycle(std::unique_ptr<Batch> batch) {
  impl_->recycle(std::move(batch));
}

void Prefetcher::seek(const LoaderPosition& position) {
  impl_->seek(position);
}

bool Prefetcher::wait_until_ready(std::int64_t count, std::chrono::milliseconds timeout) {
  return impl_->wait_until_ready(count, timeout);
}

void Prefetcher::fill_up() {
  impl_->fill_up();
}

void Prefetcher::resize(std::int64_t buffer) {
  impl_->resize(buffer);
}

PrefetchReport Prefetcher::report() const {
  return impl_->report();
}

const Collator& Prefetcher::collator() const {
  return impl_->collator();
}

}  // namespace myxtts::data
