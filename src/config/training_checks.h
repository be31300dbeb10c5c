#pragma once

#include "config/config.h"
#include "config/findings.h"

namespace xtts::config {

// Checks the settings of model, batches, schedule, devices and run folder for contradictions; part
// of validate().
void check_training(const Config& config, Findings& findings);

}  // namespace xtts::config
