// Writes configurations as YAML and compares them.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "config/resolve.h"

namespace myxtts::config {

enum class Keys { kAll, kChanged };

// Returns the keys whose value differs from the default or from the presets, in field order: all
// that a file needs to reproduce the configuration.
std::vector<std::string> changed_keys(const Config& config);

// Writes the configuration as YAML with a comment per key; values with an origin name it. kChanged
// writes only changed_keys(). Reading the text gives the same configuration to the bit; with kAll
// even if the presets have changed since.
std::string write_yaml(const Resolved& resolved, Keys keys = Keys::kAll);

// Writes a configuration without origins.
std::string write_yaml(const Config& config);

struct Difference {
  std::string key;
  std::string left, right;  // as YAML
};

// Returns the keys with different values, in field order.
std::vector<Difference> differences(const Config& left, const Config& right);

}  // namespace myxtts::config
