// Decides which worker collates which batch of a run next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "data/batch_sampler.h"
#include "data/reorder_buffer.h"

namespace myxtts::data {

enum class WorkerRole {
  kWorker,        // fills the buffer
  kIdlePriority,  // fills the buffer, on cores that are otherwise idle
  kFallback,      // beside idle-priority workers, which may get no core for long: it collates only
                  // while the consumer waits
};

// One batch that is assigned to a worker.
struct WorkItem {
  std::int64_t number = 0;      // sequence number in the reorder buffer
  std::int64_t generation = 0;  // number of seeks before it
  BatchJob job;
};

// Hands out the batches of a sampler as work items and receives the results in a reorder buffer.
// Never collates or blocks. The sampler is borrowed and must outlive the queue. Not thread-safe.
class WorkQueue {
 public:
  // At most `capacity` batches are in flight, at least 1. With idle priority, workers refill the
  // buffer once it is half empty.
  WorkQueue(BatchSampler& sampler, std::int64_t capacity, bool is_idle_priority)
      : sampler_(sampler), is_idle_priority_(is_idle_priority), buffer_(capacity) {}

  const ReorderBuffer& buffer() const { return buffer_; }

  // Producer side.

  // Returns whether there is work for a role. If there is room for a new batch, refilling begins.
  bool has_work_for(WorkerRole role);
  // Returns the next work item and memory for its batch. Returns nullopt and puts the exception
  // into the buffer if no memory is left.
  std::optional<WorkItem> take_work(WorkerRole role, std::unique_ptr<Batch>& batch);
  // Returns false for a revoked item (nullopt) and for an item from before a seek.
  bool is_wanted(const std::optional<WorkItem>& item) const {
    return item && item->generation == generation_;
  }
  // Returns whether the consumer needs this item next.
  bool is_first(const std::optional<WorkItem>& item) const {
    return is_wanted(item) && item->number == buffer_.first();
  }
  // Gives the item to another worker without idle priority. Ignores items that are not wanted.
  void requeue(std::optional<WorkItem> item);
  // Puts the result of an item into the buffer, and returns true if the item is wanted. Recycles
  // the batch if it failed or is not wanted.
  bool put(const std::optional<WorkItem>& item, BufferEntry entry);

  // Consumer side.

  // Takes the next batch out of the sequence; the caller collates it. Throws if no memory is left.
  BatchJob take_inline(std::unique_ptr<Batch>& batch);
  BufferEntry take_first() { return buffer_.take(); }  // which must be ready
  void recycle(std::unique_ptr<Batch> batch) { buffer_.recycle(std::move(batch)); }
  void set_consumer_waiting(bool is_waiting) { is_consumer_waiting_ = is_waiting; }
  void fill_up() { is_filling_ = true; }  // idle-priority workers fill the whole buffer now
  void resize(std::int64_t capacity) { buffer_.resize(capacity); }
  // Calls BatchSampler::seek(), which may throw; then nothing changes. Drops all batches in flight.
  void seek(const LoaderPosition& position);

 private:
  bool has_room();
  WorkItem issue();

  BatchSampler& sampler_;
  const bool is_idle_priority_;
  ReorderBuffer buffer_;
  std::vector<WorkItem> requeued_;
  std::int64_t generation_ = 0;
  bool is_consumer_waiting_ = false;
  bool is_filling_ = true;
};

}  // namespace myxtts::data
