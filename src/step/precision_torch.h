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

// How many times as fast as in float32 matrices are multiplied in bfloat16 by the threads of the
// arithmetic, measured in some hundredths of a second. Having instructions for it is not enough: of
// Intel's processors with tiles (AMX) those without them take twice as long as in float32.
double bf16_gain();

// From this gain on bfloat16 is worth its rounding.
inline constexpr double kLeastBf16Gain = 1.1;

}  // namespace xtts::step
