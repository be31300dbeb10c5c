#include "pipeline/reorder_buffer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace xtts::pipeline {

std::int64_t ReorderBuffer::num_in_order() const {
  std::int64_t number = first_;
  while (number < next_ && at(number).update)
    ++number;
  return number - first_;
}

void ReorderBuffer::lay(std::int64_t number, Slot slot) {
  invariant(number >= first_ && number < next_, "an update was handed out and is not yet gone");
  invariant(slot.is_ready() && !at(number).is_ready(), "an update is laid down once");
  (slot.fault ? num_faults_ : num_ready_) += 1;
  at(number) = std::move(slot);
}

Slot ReorderBuffer::take() {
  invariant(is_ready(), "the first update is ready");
  Slot taken = std::exchange(at(first_), {});
  (taken.fault ? num_faults_ : num_ready_) -= 1;
  ++first_;
  return taken;
}

void ReorderBuffer::skip() {
  invariant(num_ahead() > 0 && !at(first_).is_ready(), "the first update is with somebody");
  ++first_;
}

void ReorderBuffer::resize(std::int64_t capacity) {
  invariant(capacity >= 1, "a buffer holds at least one update");
  capacity_ = capacity;
  std::vector<Slot> moved(static_cast<std::size_t>(std::max(capacity, num_ahead())));
  for (std::int64_t number = first_; number < next_; ++number)
    moved[static_cast<std::size_t>(number) % moved.size()] = std::move(at(number));
  slots_ = std::move(moved);
  spare_.resize(std::min(spare_.size(), slots_.size() + 1));
  spare_.reserve(slots_.size() + 1);
}

void ReorderBuffer::clear() {
  for (Slot& slot : slots_) {
    if (slot.update) keep(std::move(slot.update));
    slot = {};
  }
  first_ = next_ = num_ready_ = num_faults_ = 0;
}

std::unique_ptr<Batch> ReorderBuffer::spare() {
  if (spare_.empty()) return std::make_unique<Batch>();
  std::unique_ptr<Batch> update = std::move(spare_.back());
  spare_.pop_back();
  return update;
}

void ReorderBuffer::keep(std::unique_ptr<Batch> update) {
  if (update && spare_.size() <= slots_.size()) spare_.push_back(std::move(update));
}

}  // namespace xtts::pipeline
