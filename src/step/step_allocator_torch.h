#pragma once

#include "step/step_memory.h"

namespace xtts::step {

// The memory of all CPU tensors of this process: the first call makes it LibTorch's allocator, for
// ever. Tensors made before it keep the memory they have.
StepMemory& tensor_memory();

}  // namespace xtts::step
