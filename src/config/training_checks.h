#pragma once

#include "config/config.h"
#include "config/config_errors.h"

namespace myxtts::config {

// Checks the settings of model, batches, schedule, devices and run folder for contradictions; part
// of validate().
void check_training(const Config& config, ConfigErrors& findings);

}  // namespace myxtts::config
