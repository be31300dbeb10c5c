// Instruction sets of the processor.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::base {

// Returns the vector instruction sets of this processor that tensor code uses and that the
// operating system enables, in a fixed order, weakest first: sse4_2 avx2 fma avx512f avx512_bf16
// avx512_fp16 amx_bf16 on x86-64; neon bf16 sve on arm64. Empty on other architectures.
std::vector<std::string> cpu_features();

// True if the processor reports AMX tiles but lists no tile palette, as in some virtual machines.
// Such tiles cannot be configured, so amx_bf16 is not among the features.
bool has_unlisted_tiles();

// True if the processor lists AMX tiles and the operating system refuses them to this process. Asks
// the system for the permission, as oneDNN does.
bool has_refused_tiles();

// True if one of these features provides bfloat16 instructions. Without them bfloat16 is emulated
// and slower than float32.
bool has_bf16(std::span<const std::string> features);

// The architecture that the program was compiled for: "x86_64", "aarch64" or "unknown".
std::string_view architecture();

}  // namespace myxtts::base
