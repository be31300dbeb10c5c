// Named sets of values: model.model_size, model.vocoder_size and training.optimization_level.
//
// A set gives values only to keys that nobody gave: flag > --set > YAML > set > default.
#pragma once

#include <string>
#include <vector>

#include "config/resolve.h"

namespace xtts::config {

// All sets that one key chooses among. The one that the key has by default holds the defaults.
struct PresetTable {
  struct Row {
    const char* key;                  // "model.decoder_dim"
    std::vector<const char*> values;  // as YAML, one for each name
  };

  const char* key;                 // "model.model_size"
  std::vector<const char*> names;  // "tiny", "small", ...
  std::vector<Row> rows;
};

const std::vector<PresetTable>& preset_tables();

// Gives the keys that have no origin the values of the sets that `resolved` names, with an origin
// such as "model_size small" where that is not the default. A name that no table has is left to
// validate(). One warning per set that was asked for in vain: the command line names it while the
// file holds the keys, or all that it would change is given otherwise.
void apply_presets(Resolved& resolved);

// What a configuration would be that gives nothing but the names of the sets `config` has.
Config defaults_of_presets_in(const Config& config);

}  // namespace xtts::config
