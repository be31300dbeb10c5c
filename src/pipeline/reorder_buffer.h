#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "pipeline/batch.h"

namespace xtts::pipeline {

// An update, or why it could not be made.
struct Slot {
  std::unique_ptr<Batch> update;
  std::exception_ptr fault;

  bool is_ready() const { return update != nullptr || fault != nullptr; }
};

// Numbered updates that come in any order and leave in that of their numbers, and the memory of
// those that were used. Not thread-safe.
class ReorderBuffer {
 public:
  explicit ReorderBuffer(std::int64_t capacity) { resize(capacity); }

  std::int64_t capacity() const { return capacity_; }
  std::int64_t first() const { return first_; }              // the next that leaves
  std::int64_t num_ahead() const { return next_ - first_; }  // handed out and not yet gone
  std::int64_t num_ready() const { return num_ready_; }
  // Updates that can leave one after the other: those behind one that is missing do not count.
  std::int64_t num_in_order() const;
  bool has_fault() const { return num_faults_ > 0; }
  bool is_ready() const { return num_ahead() > 0 && at(first_).is_ready(); }

  std::int64_t hand_out() { return next_++; }  // a number; at most capacity() are ahead
  void lay(std::int64_t number, Slot slot);
  Slot take();  // the first one, which is ready
  void skip();  // the first one, which somebody else has

  // Another capacity. What is ahead stays, even if it is more.
  void resize(std::int64_t capacity);
  // Nothing is ahead any more; numbers begin at 0.
  void clear();

  // An update with memory to use again, or a new one.
  std::unique_ptr<Batch> spare();
  // Keeps its memory, unless that would be more than the slots can use.
  void keep(std::unique_ptr<Batch> update);

 private:
  Slot& at(std::int64_t number) { return slots_[static_cast<std::size_t>(number) % slots_.size()]; }
  const Slot& at(std::int64_t number) const {
    return slots_[static_cast<std::size_t>(number) % slots_.size()];
  }

  std::int64_t capacity_ = 0;
  std::int64_t first_ = 0;
  std::int64_t next_ = 0;
  std::int64_t num_ready_ = 0;
  std::int64_t num_faults_ = 0;
  std::vector<Slot> slots_;  // by number modulo their count
  std::vector<std::unique_ptr<Batch>> spare_;
};

}  // namespace xtts::pipeline
