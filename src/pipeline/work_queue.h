#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/batch_sampler.h"
#include "pipeline/reorder_buffer.h"

namespace xtts::pipeline {

enum class WorkerRole {
  kWorker,        // fills the buffer
  kIdlePriority,  // the same where nobody else wants the core
  kFallback,  // beside guests, for who waits: a guest may have to wait for its core for very long
};

// An update that somebody is to make.
struct WorkItem {
  std::int64_t number = 0;      // of its slot
  std::int64_t generation = 0;  // the seeks before it
  BatchJob job;
};

// Which update of a loader is made next, and by whom; where it is laid and when it leaves. Decides,
// and neither makes nor waits. The loader is borrowed and must outlive it. Not thread-safe.
class WorkQueue {
 public:
  // At most `capacity` updates are ahead, at least 1. For guests: work begins when half is used up.
  WorkQueue(BatchSampler& loader, std::int64_t capacity, bool is_idle_priority)
      : loader_(loader), is_for_guests_(is_idle_priority), slots_(capacity) {}

  const ReorderBuffer& slots() const { return slots_; }

  // The side of who makes updates.

  // With a yes that is not for the rescue or an update handed over, filling the buffer has begun.
  bool has_work_for(WorkerRole role);
  // That work, with memory for it in `update`. Nothing: there is no memory, and its slot says so.
  std::optional<WorkItem> take_work(WorkerRole role, std::unique_ptr<Batch>& update);
  // Nobody wants a ticket any more that was taken away or is older than a seek.
  bool is_wanted(const std::optional<WorkItem>& ticket) const {
    return ticket && ticket->generation == generation_;
  }
  // Whether who asks waits for just this one.
  bool is_first(const std::optional<WorkItem>& ticket) const {
    return is_wanted(ticket) && ticket->number == slots_.first();
  }
  // Another one, who is no guest, makes it; nobody, if it is not wanted.
  void hand_over(std::optional<WorkItem> ticket);
  // An update, or why there is none. Its memory is kept if it failed or is not wanted. Returns
  // whether it was wanted.
  bool lay(const std::optional<WorkItem>& ticket, Slot made);

  // The side of who asks.

  // Takes and makes the next one by themselves: its slot stays empty. Throws if there is no memory.
  BatchJob take_for_oneself(std::unique_ptr<Batch>& update);
  Slot take_first() { return slots_.take(); }  // which is ready
  void keep(std::unique_ptr<Batch> update) { slots_.keep(std::move(update)); }
  void set_asking(bool is_asking) { is_asking_ = is_asking; }  // the rescue works only then
  void fill_up() { is_filling_ = true; }                       // guests too, the whole buffer
  void resize(std::int64_t capacity) { slots_.resize(capacity); }
  // As Loader::seek(), which may throw: then nothing has changed. What was ahead is dropped.
  void seek(const LoaderPosition& position);

 private:
  bool has_room();
  WorkItem number_next();

  BatchSampler& loader_;
  const bool is_for_guests_;
  ReorderBuffer slots_;
  std::vector<WorkItem> orphans_;  // of workers that no longer have them
  std::int64_t generation_ = 0;
  bool is_asking_ = false;
  bool is_filling_ = true;
};

}  // namespace xtts::pipeline
