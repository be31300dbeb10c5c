#pragma once

#include <cstddef>
#include <functional>

namespace xtts::base {

// Calls work(i) for every i in [0, count) on `num_workers` threads, in no promised order; 0 or 1
// workers run inline, in order: the plain twin. The first exception stops the rest and is rethrown
// here; a signal (base/interrupt.h) stops it the same way with Interrupted.
void parallel_for(std::size_t count, int num_workers, const std::function<void(std::size_t)>& work);

}  // namespace xtts::base
