#pragma once

#include <span>

namespace myxtts::step {

// Pins each LibTorch thread, including the calling thread, to its own core. Does nothing unless
// there are as many cores as threads and at least two: otherwise two processes with one thread each
// could be pinned to the same core.
void pin_pool(std::span<const int> cores);

}  // namespace myxtts::step
