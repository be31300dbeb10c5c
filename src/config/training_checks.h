#pragma once

#include "config/config.h"
#include "config/findings.h"

namespace xtts::config {

// Settings of the model, the batches, the schedule, the machine and the run folder that contradict
// each other. A part of validate().
void check_training(const Config& config, Findings& findings);

}  // namespace xtts::config
