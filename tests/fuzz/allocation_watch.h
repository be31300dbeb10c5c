// Measures the peak heap size through AddressSanitizer.
#pragma once

#include <cstddef>

namespace myxtts::fuzz {

// Starts counting heap bytes of the process, libraries included, through AddressSanitizer's hooks.
// Throws in a build without AddressSanitizer.
void start_watching_allocations();

// Restarts the peak at the bytes held now.
void reset_peak();

// Returns the maximum of bytes held since reset_peak(), minus the bytes held then.
std::size_t peak_bytes();

}  // namespace myxtts::fuzz
