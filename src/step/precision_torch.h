#pragma once

#include <string>

#include <torch/types.h>

namespace xtts::step {

// "fp32" or "bf16" to the type of the arithmetic.
torch::ScalarType type_of(const std::string& precision);

// True if the processor has instructions for bfloat16; without them it is emulated and slower than
// fp32.
bool cpu_has_bf16();

// True if matrix products in bfloat16 run here at all: on some machines oneDNN believes in
// instructions that the system does not grant, and fails.
bool bf16_works();

}  // namespace xtts::step
