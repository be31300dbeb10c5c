// Keys of the original configuration that are not fields here: aliases and ignored keys.
#pragma once

#include <string>
#include <vector>

namespace myxtts::config {

// A second name of a field. If one file or one command line sets both, the values must agree.
struct Alias {
  std::string key;     // "data.use_tf_native_loading"
  std::string target;  // "data.use_native_loading"
};

// A key that is accepted with any value, has no effect, and causes a warning with a reason.
struct IgnoredKey {
  std::string key;     // "training.use_wandb"
  std::string reason;  // the end of the sentence "has no effect here: ..."
};

const std::vector<Alias>& aliases();
const std::vector<IgnoredKey>& ignored_keys();

// "training.use_wandb: accepted for compatibility, has no effect here: <reason>"
std::string warning_for(const IgnoredKey& ignored);

}  // namespace myxtts::config
