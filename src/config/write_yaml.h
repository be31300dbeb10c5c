#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "config/resolve.h"

namespace xtts::config {

enum class Keys { kAll, kChanged };

// The configuration as YAML with a comment per key. A value that is not a default says where it
// came from. kChanged leaves out the keys that have their default. Reading it gives the same
// configuration, to the bit.
std::string write_yaml(const Resolved& resolved, Keys keys = Keys::kAll);

// The same without origins, for a configuration made in memory.
std::string write_yaml(const Config& config);

struct Difference {
  std::string key;
  std::string left, right;  // as YAML
};

// The keys in which the two differ, in the order of the fields.
std::vector<Difference> differences(const Config& left, const Config& right);

}  // namespace xtts::config
