// Builds a configuration from its layers: flag > --set > YAML > the run's own file > preset
// (config/presets.h) > default.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace myxtts::config {

// A value given on the command line for one key.
struct Override {
  std::string key;    // "data.batch_size"
  std::string value;  // as given
};

struct Layers {
  std::optional<std::filesystem::path> run_file = {};  // of the run, lowest layer
  std::optional<std::filesystem::path> file;
  std::vector<std::string> sets = {};  // "data.batch_size=8"; the last of a key wins
  std::vector<Override> flags = {};    // the last of a key wins
};

struct Resolved {
  Config config;
  std::map<std::string, std::string> origins;  // key -> "x.yaml:12", "--set", "flag",
                                               // "model_size small"; else default
  std::vector<std::string> warnings;           // about settings without effect
};

// Merges the layers and validates the result. Throws one UsageError that lists all problems:
// unknown keys, wrong types, contradictions. Reads only the named files. data.pad_to_fixed_length
// and data.shape_buckets set the same thing: the key in the higher layer resets the other.
Resolved resolve(const Layers& layers);

// Reads a YAML document over its presets and the defaults. `source` is its name in messages. Throws
// UsageError for unknown keys and wrong types, but does not validate. Safe on hostile bytes: at
// most 1 MiB, 64 levels, 20,000 nodes, 16 KiB per line; no anchors, aliases, tags or second
// document.
Resolved parse_yaml(std::string_view bytes, const std::string& source);

// Reads a YAML file like parse_yaml(). Throws UsageError if it is missing, with the nearest name.
Resolved read_file(const std::filesystem::path& path);

}  // namespace myxtts::config
