// A parallel for loop that abandons iterations which exceed a timeout.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace myxtts::base {

// Hands over the result of an iteration. Called on the caller's thread.
using Completion = std::function<void()>;

// Work that may block forever, such as a read from a disk that does not respond.
struct AbandonableWork {
  // Runs on a worker thread, which is abandoned if the call does not return. It must own all data
  // it uses. Only the returned completion may access data of the caller.
  std::function<Completion(std::size_t index)> work;
  // Called if an iteration exceeds the timeout. If the iteration returns later, while the loop
  // still runs, its completion is called too.
  std::function<void(std::size_t index)> on_timeout;
  std::chrono::milliseconds timeout;
};

// Runs work(i) for every i in [0, count). Every index gets a completion, a timeout, or a timeout
// and later a completion. Starts num_workers threads (at least one), and a replacement for each
// thread that timed out; threads take the indexes in order. Completions and on_timeout run on the
// caller's thread, one at a time, unordered. The first exception of work, a completion or
// on_timeout stops the loop and is rethrown. A signal throws Interrupted at once.
void parallel_for_with_timeout(std::size_t count, int num_workers, const AbandonableWork& work);

}  // namespace myxtts::base
