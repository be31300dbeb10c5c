#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "step/arena_plan.h"

namespace xtts::step {

// What a replay did.
struct ReplayOutcome {
  std::size_t requests = 0;
  std::size_t from_heap = 0;  // of these; without a deviation: what outlives the phase
  std::string deviation;      // the first request that was not as recorded, in words; empty: none

  bool deviated() const { return !deviation.empty(); }
};

// The heap has no more.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The memory of tensors: from the heap, except on a thread that replays a recorded phase. There
// every request gets the place in the arena that its turn had in the plan. Whatever is not as it
// was recorded (another size, one request more, a place that is still in use) is served by the heap
// from there on and reported, so a replay is never wrong, only slower.
//
// All calls are safe from any thread; phases of two threads must not overlap.
class StepMemory {
 public:
  struct Heap {
    void* (*allocate)(std::size_t bytes);  // null: there is no more
    void (*release)(void* pointer);
  };

  explicit StepMemory(Heap heap);
  ~StepMemory();
  StepMemory(const StepMemory&) = delete;
  StepMemory& operator=(const StepMemory&) = delete;

  void* allocate(std::size_t bytes);  // throws OutOfMemory
  void release(void* pointer);

  // Runs `body` on the heap and writes down what this thread requests and returns.
  std::vector<Request> record(const std::function<void()>& body);

  // Runs `body` out of the arena, which must have been reserved for the plan.
  ReplayOutcome replay(const ArenaPlan& plan, const std::function<void()>& body);

  // Makes the arena at least this large, every page of it touched: a step must not meet a page
  // fault. Nothing of it may be in use. Throws UserError if the machine does not have the memory.
  void reserve(std::size_t bytes);
  std::size_t reserved_bytes() const { return size_; }

  // The heap fails once, at the `turn`-th request from now on (from 1): to try what happens then.
  void fail_at(std::int64_t turn) { turns_to_failure_ = turn; }

 private:
  struct Recording;
  struct Replay;

  void* from_heap(std::size_t bytes);
  void* take_place(Replay& replay, std::size_t bytes);
  bool is_in_arena(const void* pointer) const;
  void drop_arena();

  // What this thread is doing; both null outside a phase.
  static thread_local Recording* this_recording_;
  static thread_local Replay* this_replay_;

  const Heap heap_;
  std::atomic<std::int64_t> turns_to_failure_ = 0;  // 0: never
  std::byte* arena_ = nullptr;
  std::size_t size_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::size_t, std::uint32_t> in_use_;  // offset -> slot; guarded by mutex_
  Replay* replay_ = nullptr;                               // guarded by mutex_
};

}  // namespace xtts::step
