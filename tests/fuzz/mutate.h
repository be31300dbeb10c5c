// Mutates fuzzing inputs.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"

namespace myxtts::fuzz {

// Returns a seed with one to eight mutations: flipped bits, extreme integers, truncated, repeated,
// swapped or deleted ranges, a piece of another seed. At most 1 MiB.
std::string mutate(const std::vector<std::string>& seeds, base::Random& random);

}  // namespace myxtts::fuzz
