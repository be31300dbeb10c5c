#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace xtts::config {

// Everything in `config` that cannot be: values out of range, words that are no choice, settings
// that contradict each other. A sentence each, with the keys, what was found and what would do.
std::vector<std::string> contradictions(const Config& config);

// Throws one UsageError that lists all contradictions.
void validate(const Config& config);

// Throws one UsageError with all `problems`, if there are any.
void refuse_if_any(const std::vector<std::string>& problems);

}  // namespace xtts::config
