#pragma once

#include "step/step_memory.h"

namespace myxtts::step {

// Returns the allocator of all CPU tensors. The first call installs it in LibTorch permanently;
// existing tensors keep their memory.
StepMemory& tensor_memory();

}  // namespace myxtts::step
