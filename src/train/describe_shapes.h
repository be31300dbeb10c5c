#pragma once

#include <string>

namespace xtts::train {

struct RunDescription;

// The shapes of a run, in lines: whether they are static, their limits, the plan as a table, what
// it is padded with, and every utterance that is left out, at most 20 of a set by name.
std::string describe_shapes(const RunDescription& run);

}  // namespace xtts::train
