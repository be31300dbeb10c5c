#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::base {

// The vector instructions of this processor that matter to tensor code and that the system lets
// programs use, in a fixed order, weakest first: sse4_2 avx2 fma avx512f avx512_bf16 avx512_fp16
// amx_bf16 on x86-64; neon bf16 sve on arm64. Empty on other architectures.
std::vector<std::string> cpu_features();

// True if tiles (AMX) are announced but no palette of them is listed, as in some virtual machines:
// they cannot be configured, so amx_bf16 is not among the features.
bool has_unlisted_tiles();

// True if one of these features is instructions for bfloat16. Without them a processor emulates it
// and is slower than with float32.
bool has_bf16(std::span<const std::string> features);

// "x86_64", "aarch64": what the program was compiled for.
std::string_view architecture();

}  // namespace xtts::base
