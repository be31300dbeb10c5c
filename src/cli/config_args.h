// Adds configuration options to a command: --config, --set and flags for the keys it reads.
#pragma once

#include <string>
#include <vector>

#include "config/resolve.h"

namespace CLI {
class App;
}

namespace myxtts::cli {

// Configuration arguments of the command line. Must outlive the CLI::App that fills it.
struct ConfigArgs {
  std::string file;
  std::vector<std::string> sets;
  std::vector<config::Override> flags;
};

// Adds --config FILE, --set KEY=VALUE (repeatable) and one flag per dotted key, named after the
// field: "data.language" adds --language; a switch adds --trim-silence and --no-trim-silence.
// Throws BugError for an unknown key.
void add_config_options(CLI::App& command,
                        ConfigArgs& args,
                        const std::vector<const char*>& flag_keys = {});

// Resolves and validates the configuration: flag > --set > YAML > preset > default. Logs warnings.
// Throws UsageError.
config::Config resolve(const ConfigArgs& args);

// Resolves the configuration as resolve() does and keeps the origin of each value.
config::Resolved resolve_with_origins(const ConfigArgs& args);

}  // namespace myxtts::cli
