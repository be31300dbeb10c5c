// Memory allocator that records and replays the allocations of a step in an arena.
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

namespace myxtts::step {

// Statistics of a replay.
struct ReplayOutcome {
  std::size_t requests = 0;
  std::size_t from_heap = 0;  // requests that outlive the phase, or follow a deviation
  std::string deviation;      // description of the first request that deviated; empty: none

  bool deviated() const { return !deviation.empty(); }
};

// The heap is exhausted.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Allocates tensor memory from the heap, or on a thread that replays a recorded phase from the
// arena, at the planned offset of each request. After the first deviation from the recording
// (another size, an extra request, memory that is still in use) the heap serves all requests of the
// phase, and the deviation is reported. So a deviating replay is correct, only slower.
//
// All calls are thread-safe; phases of two threads must not overlap.
class StepMemory {
 public:
  struct Heap {
    void* (*allocate)(std::size_t bytes);  // returns null if memory is exhausted
    void (*release)(void* pointer);
  };

  explicit StepMemory(Heap heap);
  ~StepMemory();
  StepMemory(const StepMemory&) = delete;
  StepMemory& operator=(const StepMemory&) = delete;

  void* allocate(std::size_t bytes);  // throws OutOfMemory
  void release(void* pointer);

  // Runs `body` with heap memory and records the requests and releases of this thread.
  std::vector<Request> record(const std::function<void()>& body);

  // Runs `body` with arena memory. The arena must be reserved for the plan.
  ReplayOutcome replay(const ArenaPlan& plan, const std::function<void()>& body);

  // Grows the arena to at least `bytes` and touches every page, so that steps have no page faults.
  // The arena must be unused. Throws UserError if there is not enough memory.
  void reserve(std::size_t bytes);
  std::size_t reserved_bytes() const { return size_; }

  // For tests: the heap fails once, at the `request`-th request from now on (from 1).
  void fail_at(std::int64_t request) { requests_to_failure_ = request; }

 private:
  struct Recording;
  struct Replay;

  void* from_heap(std::size_t bytes);
  void* allocate_from_arena(Replay& replay, std::size_t bytes);
  bool is_in_arena(const void* pointer) const;
  void drop_arena();

  // State of this thread; both are null outside of a phase.
  static thread_local Recording* this_recording_;
  static thread_local Replay* this_replay_;

  const Heap heap_;
  std::atomic<std::int64_t> requests_to_failure_ = 0;  // 0: never
  std::byte* arena_ = nullptr;
  std::size_t size_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::size_t, std::uint32_t> in_use_;  // offset -> slot; guarded by mutex_
  Replay* replay_ = nullptr;                               // guarded by mutex_
};

}  // namespace myxtts::step
