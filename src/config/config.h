// The complete configuration of a run: plain structs with defaults.
//
// config/resolve.h builds it (flag > --set > YAML > preset > default); config/field.h describes its
// keys.
#pragma once

#include <string>

#include "config/data_config.h"
#include "config/model_config.h"
#include "config/training_config.h"

namespace myxtts::config {

struct Config {
  DataConfig data;
  ModelConfig model;
  TrainingConfig training;
};

// Returns "auto", "fp32" or "bf16": from data.mixed_precision if set, else training.precision.
std::string precision_of(const Config& config);

// Returns the configuration of vocoder training: with the vocoder's learning rate and scheduler,
// and without the judge command, which needs texts. Throws UsageError if the result is invalid or a
// crop is shorter than the longest FFT of the losses.
Config for_vocoder(Config config);

// Longest FFT in samples of the vocoder's losses and discriminators, the minimum length of a crop.
int longest_fft_of(const Config& config);

}  // namespace myxtts::config
