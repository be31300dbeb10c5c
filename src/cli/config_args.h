// The configuration options of a verb: --config, --set, and flags for the keys it reads.
#pragma once

#include <string>
#include <vector>

#include "config/resolve.h"

namespace CLI {
class App;
}

namespace xtts::cli {

// What was typed. Must live as long as the CLI::App it was given to.
struct ConfigArgs {
  std::string file;
  std::vector<std::string> sets;
  std::vector<config::Override> flags;
};

// Adds --config FILE, --set KEY=VALUE (repeatable) and one flag per dotted key, named by the field:
// "data.language" adds --language, a switch adds --trim-silence and --no-trim-silence. A key that
// does not exist is a bug.
void add_config_options(CLI::App& command,
                        ConfigArgs& args,
                        const std::vector<const char*>& flag_keys = {});

// Flag > --set > YAML > named set > default, validated; warnings go to standard error. Throws
// UsageError.
config::Config resolve(const ConfigArgs& args);

// The same with the origin of each value.
config::Resolved resolve_with_origins(const ConfigArgs& args);

}  // namespace xtts::cli
