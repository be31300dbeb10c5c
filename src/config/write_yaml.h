#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "config/resolve.h"

namespace xtts::config {

enum class Keys { kAll, kChanged };

// The keys whose value is not the default, or not what the named sets give: all that a file must
// hold to make the configuration again. In the order of the fields.
std::vector<std::string> changed_keys(const Config& config);

// The configuration as YAML with a comment per key. A value that is not a default says where it
// came from. kChanged writes the changed_keys() alone. Reading it gives the same configuration, to
// the bit; kAll does so even where the named sets have other values by then.
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
