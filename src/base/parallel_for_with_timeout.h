#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace xtts::base {

// What is done with the result of some work, by whoever waits for it.
using Delivery = std::function<void()>;

// Work that may never end, as a read from a disk that does not answer.
struct AbandonableWork {
  // Called by some thread of ours, which is left to itself if this does not end: it owns all that
  // it touches. Only what it returns may touch what belongs to the caller.
  std::function<Delivery(std::size_t index)> work;
  // It has not ended within the patience. Its delivery may still come, until all others are done.
  std::function<void(std::size_t index)> on_stuck;
  std::chrono::milliseconds patience;
};

// parallel_for() for such work: each index of [0, count) is delivered, or was stuck. There is at
// least one thread beside the caller's, and one more for each that is stuck; they take the indexes
// in order. Deliveries and on_stuck are called on the caller's thread, one after the other and in
// no promised order. The first exception of any of the three stops the rest and arrives here; so
// does a signal, as Interrupted, at once.
void parallel_for_with_timeout(std::size_t count, int num_workers, const AbandonableWork& work);

}  // namespace xtts::base
