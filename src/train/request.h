#pragma once

#include <functional>
#include <memory>

#include "config/resolve.h"
#include "step/graph_device.h"

namespace xtts::train {

// Everything a training is asked for.
struct TrainRequest {
  config::Resolved resolved;
  bool reset_training = false;  // move old saves aside and start at step 0
  std::string trace_file = {};  // where the time went, for Perfetto; empty: not recorded
  // Where a captured step captures; unset: the run's CUDA device, and no captured step on the CPU.
  std::function<std::unique_ptr<step::GraphDevice>()> open_graph_device = {};
};

}  // namespace xtts::train
