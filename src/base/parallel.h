// A parallel for loop over an index range.
#pragma once

#include <cstddef>
#include <functional>

namespace myxtts::base {

// Calls work(i) for every i in [0, count) on `num_workers` threads, unordered. 0 or 1 workers run
// inline and in order (reference implementation). The first exception stops the loop and is
// rethrown. A signal (base/interrupt.h) stops it with Interrupted.
void parallel_for(std::size_t count, int num_workers, const std::function<void(std::size_t)>& work);

}  // namespace myxtts::base
