#pragma once

#include "config/config.h"
#include "pipeline/lanes.h"

namespace xtts::train {

// The GPUs that LibTorch sees here, or why it sees none.
pipeline::MachineDevices machine_devices();

// The lanes of a run. Arithmetic has no more threads from now on than the model's lane has cores,
// and with two lanes the calling thread and all that it starts stay on them. Call it before the
// first arithmetic.
pipeline::LanePlan take_lanes(const config::Config& config);

}  // namespace xtts::train
