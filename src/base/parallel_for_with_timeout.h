// A parallel for loop that abandons iterations which exceed a timeout.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace xtts::base {

// Hands over the result of an iteration. Called on the caller's thread.
using Completion = std::function<void()>;

// Work that may block forever, such as a read from a disk that does not respond.
struct AbandonableWork {
  // Runs on a worker thread, which is abandoned if the call does not return. It must own all data
  // it uses. Only the returned completion may access data of the caller.
  std::function<Completion(std::size_t index)> work;
  // Called if an iteration exceeds the timeout. Its completion may still run while others are
  // pending.
  std::function<void(std::size_t index)> on_timeout;
  std::chrono::milliseconds timeout;
};

// Runs work(i) for every i in [0, count). Every index is completed or times out. There is at least
// one worker thread, and one more for each timeout; workers take the indexes in order. Completions
// and on_timeout run on the caller's thread, one at a time, unordered. The first exception of work,
// a completion or on_timeout stops the loop and is rethrown. A signal throws Interrupted at once.
void parallel_for_with_timeout(std::size_t count, int num_workers, const AbandonableWork& work);

}  // namespace xtts::base
