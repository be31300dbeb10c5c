// Compute precision: checks and measures bf16 support of the CPU.
#pragma once

#include <string>

#include <torch/types.h>

namespace myxtts::step {

// Returns the compute type of a precision, "fp32" or "bf16".
torch::ScalarType type_of(const std::string& precision);

// Returns whether the CPU has bfloat16 instructions. Without them bf16 is emulated and slower than
// fp32.
bool cpu_has_bf16();

// Returns whether bfloat16 matrix products run on this machine. On some machines oneDNN uses
// instructions that the operating system has not enabled, and fails.
bool bf16_works();

// Measures the speedup of bfloat16 over float32 matrix products with the threads of LibTorch, in
// some hundredths of a second. Instructions are not sufficient: without AMX tiles, bf16 products of
// Intel processors take twice as long as float32.
double bf16_gain();

// Least speedup for which bfloat16 is chosen.
inline constexpr double kMinBf16Gain = 1.1;

}  // namespace myxtts::step
