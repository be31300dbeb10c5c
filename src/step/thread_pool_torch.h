#pragma once

#include <span>

namespace xtts::step {

// Gives each thread of the arithmetic, the calling one among them, a core of its own. Does nothing
// unless there are as many cores as threads: two programs with one thread each must not meet on one
// core.
void pin_pool(std::span<const int> cores);

}  // namespace xtts::step
