#include "data/reorder_buffer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace myxtts::data {

std::int64_t ReorderBuffer::num_in_order() const {
  std::int64_t number = first_;
  while (number < next_ && at(number).batch)
    ++number;
  return number - first_;
}

void ReorderBuffer::put(std::int64_t number, BufferEntry entry) {
  invariant(number >= first_ && number < next_, "the sequence number is in flight");
  invariant(entry.is_ready() && !at(number).is_ready(), "every entry is put once");
  (entry.fault ? num_faults_ : num_ready_) += 1;
  at(number) = std::move(entry);
}

BufferEntry ReorderBuffer::take() {
  invariant(is_ready(), "the first entry is ready");
  BufferEntry entry = std::exchange(at(first_), {});
  (entry.fault ? num_faults_ : num_ready_) -= 1;
  ++first_;
  return entry;
}

void ReorderBuffer::skip() {
  invariant(num_in_flight() > 0 && !at(first_).is_ready(), "the first entry is not ready");
  ++first_;
}

void ReorderBuffer::resize(std::int64_t capacity) {
  invariant(capacity >= 1, "a buffer holds at least one batch");
  capacity_ = capacity;
  std::vector<BufferEntry> moved(static_cast<std::size_t>(std::max(capacity, num_in_flight())));
  for (std::int64_t number = first_; number < next_; ++number)
    moved[static_cast<std::size_t>(number) % moved.size()] = std::move(at(number));
  entries_ = std::move(moved);
  recycled_.resize(std::min(recycled_.size(), entries_.size() + 1));
  recycled_.reserve(entries_.size() + 1);
}

void ReorderBuffer::clear() {
  for (BufferEntry& entry : entries_) {
    if (entry.batch) recycle(std::move(entry.batch));
    entry = {};
  }
  first_ = next_ = num_ready_ = num_faults_ = 0;
}

std::unique_ptr<Batch> ReorderBuffer::acquire() {
  if (recycled_.empty()) return std::make_unique<Batch>();
  std::unique_ptr<Batch> batch = std::move(recycled_.back());
  recycled_.pop_back();
  return batch;
}

void ReorderBuffer::recycle(std::unique_ptr<Batch> batch) {
  if (batch && recycled_.size() <= entries_.size()) recycled_.push_back(std::move(batch));
}

}  // namespace myxtts::data
