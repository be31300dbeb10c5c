#pragma once

#include "config/config.h"
#include "train/describe_run.h"

namespace xtts::train {

// What a training would be, with parameters, memory and work; writes nothing.
RunPreview describe_without_training(const config::Config& config);

}  // namespace xtts::train
