#pragma once

#include "config/resolve.h"

namespace xtts::train {

// Everything a training is asked for.
struct TrainRequest {
  config::Resolved resolved;
  bool reset_training = false;  // move old saves aside and start at step 0
};

}  // namespace xtts::train
