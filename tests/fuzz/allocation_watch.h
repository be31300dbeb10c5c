#pragma once

#include <cstddef>

namespace xtts::fuzz {

// Counts what the process holds on the heap, libraries included, through AddressSanitizer's hooks.
// Throws where the program was built without it: a limit that nothing watches is no limit.
void start_watching_allocations();

// Forgets the past: the peak counts from what is held now.
void reset_peak();

// The most bytes held at once since reset_peak(), beyond what was held then.
std::size_t peak_bytes();

}  // namespace xtts::fuzz
