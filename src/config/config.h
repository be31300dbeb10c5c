// The whole configuration of a run: plain values with our defaults.
//
// How it comes about (flag > --set > YAML > named set > default) is config/resolve.h; how a field
// is named, explained and limited is config/field.h.
#pragma once

#include <string>

#include "config/data_config.h"
#include "config/model_config.h"
#include "config/training_config.h"

namespace xtts::config {

struct Config {
  DataConfig data;
  ModelConfig model;
  TrainingConfig training;
};

// "auto", "fp32" or "bf16": what data.mixed_precision says, if anything, else training.precision.
std::string precision_of(const Config& config);

// What the training of a vocoder goes by: its own learning rate and scheduler in the place of those
// of a voice, and no judge, who needs texts. Everything else is as it was. Throws UsageError if
// that contradicts itself, or if a crop is shorter than the longest transform of the losses.
Config for_vocoder(Config config);

// Samples of the longest transform of a vocoder's losses, and of its discriminators if it has any:
// no crop is shorter.
int longest_transform_of(const Config& config);

}  // namespace xtts::config
