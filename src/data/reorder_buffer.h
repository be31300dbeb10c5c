// Restores the order of batches that workers finish in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "data/batch.h"

namespace myxtts::data {

// A finished batch, or the exception that was thrown instead.
struct BufferEntry {
  std::unique_ptr<Batch> batch;
  std::exception_ptr fault;

  bool is_ready() const { return batch != nullptr || fault != nullptr; }
};

// Puts batches that finish in any order back into the order of their sequence numbers, and recycles
// the memory of used batches. Not thread-safe.
class ReorderBuffer {
 public:
  explicit ReorderBuffer(std::int64_t capacity) { resize(capacity); }

  std::int64_t capacity() const { return capacity_; }
  std::int64_t first() const { return first_; }  // sequence number that take() returns next
  std::int64_t num_in_flight() const { return next_ - first_; }  // issued and not yet taken
  std::int64_t num_ready() const { return num_ready_; }
  // Returns the number of batches that can be taken without a gap.
  std::int64_t num_in_order() const;
  bool has_fault() const { return num_faults_ > 0; }
  bool is_ready() const { return num_in_flight() > 0 && at(first_).is_ready(); }

  // Returns the next sequence number. The caller keeps num_in_flight() within capacity().
  std::int64_t issue() { return next_++; }
  void put(std::int64_t number, BufferEntry entry);
  // Removes and returns the first entry, which must be ready.
  BufferEntry take();
  // Removes the first entry, which is not ready: the caller collates its batch.
  void skip();

  // Changes the capacity. Entries in flight stay, even if they exceed it.
  void resize(std::int64_t capacity);
  // Drops all entries in flight. Sequence numbers restart at 0.
  void clear();

  // Returns a recycled batch, or a new one.
  std::unique_ptr<Batch> acquire();
  // Keeps the memory of a batch for acquire(), up to one batch more than there are entries.
  void recycle(std::unique_ptr<Batch> batch);

 private:
  BufferEntry& at(std::int64_t number) {
    return entries_[static_cast<std::size_t>(number) % entries_.size()];
  }
  const BufferEntry& at(std::int64_t number) const {
    return entries_[static_cast<std::size_t>(number) % entries_.size()];
  }

  std::int64_t capacity_ = 0;
  std::int64_t first_ = 0;
  std::int64_t next_ = 0;
  std::int64_t num_ready_ = 0;
  std::int64_t num_faults_ = 0;
  std::vector<BufferEntry> entries_;  // ring buffer, indexed by sequence number modulo its size
  std::vector<std::unique_ptr<Batch>> recycled_;
};

}  // namespace myxtts::data
