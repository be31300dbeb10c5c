#pragma once

#include <string>
#include <vector>

#include "base/random.h"

namespace xtts::fuzz {

// A copy of one of the seeds with one to eight injuries: flipped bits, extreme integers, cut,
// repeated, swapped or deleted stretches, a piece of another seed. At most 1 MiB long.
std::string mutate(const std::vector<std::string>& seeds, base::Random& random);

}  // namespace xtts::fuzz
