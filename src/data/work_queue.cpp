// Note [Work items]: every batch has a sequence number, issued together with its position in the
// epoch. A worker collates the batch and puts it into the reorder buffer under this number; batches
// leave in order. A seek starts a new generation: results of older generations are dropped. The
// prefetcher revokes the item of a worker that is stuck or that gets no core, and requeues it for
// another worker. If the first worker still finishes the item, its result is dropped.
#include "data/work_queue.h"

#include <utility>

namespace myxtts::data {

bool WorkQueue::has_room() {
  if (buffer_.num_in_flight() >= buffer_.capacity()) return false;
  // Idle-priority workers start when half of the buffer is used up, and then fill it completely.
  if (is_idle_priority_ && !is_filling_ && buffer_.num_in_flight() > buffer_.capacity() / 2)
    return false;
  is_filling_ = true;
  return true;
}

bool WorkQueue::has_work_for(WorkerRole role) {
  if (role == WorkerRole::kIdlePriority) return has_room();
  if (role == WorkerRole::kWorker) return !requeued_.empty() || has_room();
  // kFallback: only while the consumer waits.
  return is_consumer_waiting_ && (!requeued_.empty() || buffer_.num_in_flight() == 0);
}

// Returns an item with the next sequence number. take_work() sets its job.
WorkItem WorkQueue::issue() {
  const std::int64_t number = buffer_.issue();
  if (buffer_.num_in_flight() >= buffer_.capacity()) is_filling_ = false;
  return {.number = number, .generation = generation_, .job = {}};
}

std::optional<WorkItem> WorkQueue::take_work(WorkerRole role, std::unique_ptr<Batch>& batch) {
  const bool is_new = role == WorkerRole::kIdlePriority || requeued_.empty();
  WorkItem item;
  if (is_new) {
    item = issue();
  } else {
    item = std::move(requeued_.back());
    requeued_.pop_back();
  }
  try {
    if (is_new) item.job = sampler_.next_job();
    batch = buffer_.acquire();
    return item;
  } catch (...) {
    buffer_.put(item.number, {.batch = nullptr, .fault = std::current_exception()});
    return std::nullopt;
  }
}

void WorkQueue::requeue(std::optional<WorkItem> item) {
  if (is_wanted(item)) requeued_.push_back(*std::move(item));
}

bool WorkQueue::put(const std::optional<WorkItem>& item, BufferEntry entry) {
  const bool is_current = is_wanted(item);
  if (entry.fault || !is_current) buffer_.recycle(std::exchange(entry.batch, nullptr));
  if (is_current) buffer_.put(item->number, std::move(entry));
  return is_current;
}

BatchJob WorkQueue::take_inline(std::unique_ptr<Batch>& batch) {
  issue();
  buffer_.skip();  // the consumer collates this batch, so no entry arrives under its number
  BatchJob job = sampler_.next_job();
  batch = buffer_.acquire();
  return job;
}

void WorkQueue::seek(const LoaderPosition& position) {
  sampler_.seek(position);
  ++generation_;
  buffer_.clear();
  requeued_.clear();
  is_filling_ = true;
}

}  // namespace myxtts::data
