#pragma once

#include "config/config.h"
#include "pipeline/lanes.h"
#include "train/describe_run.h"

namespace xtts::train {

// What a training on these lanes would be, with parameters, memory and work; writes nothing.
RunPreview describe_without_training(const config::Config& wanted, const pipeline::LanePlan& lanes);

}  // namespace xtts::train
