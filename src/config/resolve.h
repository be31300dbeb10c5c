// How a configuration comes about: flag > --set > YAML > that of the run > named set
// (config/presets.h) > default.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace xtts::config {

// One value somebody typed on the command line, for one key.
struct Override {
  std::string key;    // "data.batch_size"
  std::string value;  // as typed
};

struct Layers {
  std::optional<std::filesystem::path> run_file = {};  // of the run itself, below the others
  std::optional<std::filesystem::path> file;
  std::vector<std::string> sets = {};  // "data.batch_size=8", in the order given; the last one wins
  std::vector<Override> flags = {};    // the same, already taken apart
};

struct Resolved {
  Config config;
  std::map<std::string, std::string> origins;  // key -> "x.yaml:12", "--set", "flag",
                                               // "model_size small"; else default
  std::vector<std::string> warnings;           // of what was given and has no effect
};

// Puts the layers together and validates the result. Throws one UsageError that lists everything
// that is wrong: unknown keys, wrong types, contradictions. Reads only the named file. Of
// data.pad_to_fixed_length and data.shape_buckets, which answer one question, the one that the
// higher layer gives takes the place of the other. One warning names the keys on which nothing acts
// yet, where they are given and not their defaults.
Resolved resolve(const Layers& layers);

// The values a YAML document gives, over those of the sets it names, over the defaults. `source` is
// its name in messages. Throws UsageError for whatever is wrong in it, but does not validate. Safe
// on hostile bytes: at most 1 MiB, 64 levels, 20,000 nodes, 16 KiB per line; no anchors, aliases,
// tags, or second document.
Resolved parse_yaml(std::string_view bytes, const std::string& source);

// The same from a file. Throws UsageError if it is not there, naming the nearest one that is.
Resolved read_file(const std::filesystem::path& path);

}  // namespace xtts::config
