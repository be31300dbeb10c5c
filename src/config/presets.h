// Presets of the keys model.model_size, model.vocoder_size and training.optimization_level.
//
// A preset applies only to keys without an explicit value: flag > --set > YAML > preset > default.
#pragma once

#include <string>
#include <vector>

#include "config/resolve.h"

namespace myxtts::config {

// All presets of one key. The preset of the key's default value holds the default values.
struct PresetTable {
  struct Row {
    const char* key;                  // "model.decoder_dim"
    std::vector<const char*> values;  // as YAML, one per preset
  };

  const char* key;                 // "model.model_size"
  std::vector<const char*> names;  // "tiny", "small", ...
  std::vector<Row> rows;
};

const std::vector<PresetTable>& preset_tables();

// Applies the presets that `resolved` names to the keys without an origin. Values that differ from
// the default get an origin such as "model_size small". Unknown names are left to validate(). Adds
// one warning per preset without full effect: it is on the command line while the file sets its
// keys, or all its keys are set explicitly.
void apply_presets(Resolved& resolved);

// Returns the defaults with the presets of `config` applied.
Config preset_defaults_of(const Config& config);

}  // namespace myxtts::config
