// Validates a configuration.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace myxtts::config {

// Returns one message per problem in `config`: values out of range, unknown choices, settings that
// contradict each other. Each names the keys, what was found and what is expected.
std::vector<std::string> validation_errors(const Config& config);

// Throws one UsageError that lists all validation errors.
void validate(const Config& config);

// Throws one UsageError with all `problems`, if there are any.
void throw_if_any(const std::vector<std::string>& problems);

}  // namespace myxtts::config
