#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xtts::base {

// A span (duration_ns >= 0) or the value of a counter (duration_ns < 0).
struct TraceEvent {
  const char* name = nullptr;
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int64_t number = 0;  // of a span: < 0 is none; of a counter: its value
};

// Events of one thread on their way to the file. One thread adds, one other takes, neither waits.
// When it is full the newest are lost and counted: what is there is being read.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): two threads write, to a line each
class TraceRing {
 public:
  explicit TraceRing(std::int64_t capacity)
      : events_(static_cast<std::size_t>(capacity < 1 ? 1 : capacity)) {}

  // By the thread that owns it.
  void add(const TraceEvent& event) {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == events_.size()) {
      dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    events_[head % events_.size()] = event;
    head_.store(head + 1, std::memory_order_release);
  }

  // By the thread that writes: calls take(event) for each that is there, the oldest first.
  template <typename Take>
  void drain(Take take) {
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    for (; tail != head; ++tail)
      take(events_[tail % events_.size()]);
    tail_.store(tail, std::memory_order_release);
  }

  std::int64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }  // ever

 private:
  std::vector<TraceEvent> events_;
  alignas(64) std::atomic<std::uint64_t> head_ = 0;  // of the thread that adds, with dropped_
  std::atomic<std::int64_t> dropped_ = 0;
  alignas(64) std::atomic<std::uint64_t> tail_ = 0;  // of the thread that takes
};

}  // namespace xtts::base
