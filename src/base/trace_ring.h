// Lock-free ring buffer of trace events.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace myxtts::base {

// A trace event: a span (duration_ns >= 0) or a counter value (duration_ns < 0).
struct TraceEvent {
  const char* name = nullptr;
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int64_t number = 0;  // span: number shown, < 0 for none; counter: value
};

// A lock-free single-producer, single-consumer ring of trace events. A full ring drops the newest
// events and counts them, because the consumer may be reading the older ones.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): one cache line per writing thread
class TraceRing {
 public:
  explicit TraceRing(std::int64_t capacity)
      : events_(static_cast<std::size_t>(capacity < 1 ? 1 : capacity)) {}

  // Adds an event. Called by the producer only.
  void add(const TraceEvent& event) {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == events_.size()) {
      dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    events_[head % events_.size()] = event;
    head_.store(head + 1, std::memory_order_release);
  }

  // Calls take(event) for each stored event, oldest first. Called by the consumer only.
  template <typename Take>
  void drain(Take take) {
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    for (; tail != head; ++tail)
      take(events_[tail % events_.size()]);
    tail_.store(tail, std::memory_order_release);
  }

  std::int64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }  // in total

 private:
  std::vector<TraceEvent> events_;
  alignas(64) std::atomic<std::uint64_t> head_ = 0;  // written by the producer, like dropped_
  std::atomic<std::int64_t> dropped_ = 0;
  alignas(64) std::atomic<std::uint64_t> tail_ = 0;  // written by the consumer
};

}  // namespace myxtts::base
