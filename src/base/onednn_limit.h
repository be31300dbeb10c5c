// Restricts the instruction sets of oneDNN on machines with broken AMX.
#pragma once

#include "base/cpu_features.h"

namespace myxtts::base {

// Environment variable with the newest instruction set that oneDNN, the matrix library of LibTorch,
// may use. oneDNN reads it at its first operation.
inline constexpr const char* kOnednnLimit = "ONEDNN_MAX_CPU_ISA";
// All instruction sets except AMX tiles.
inline constexpr const char* kOnednnWithoutTiles = "AVX512_CORE_FP16";

// Disables AMX tiles in oneDNN if they cannot be used. If the processor lists no tile palette,
// oneDNN assumes tile size zero and crashes with an illegal instruction in the first bfloat16
// product (oneDNN issue 5689, in LibTorch 2.13). The system may also refuse tiles to the process.
// Keeps a limit already set in the environment. Call before LibTorch computes.
void limit_onednn(bool tiles_are_unusable = has_unlisted_tiles() || has_refused_tiles());

}  // namespace myxtts::base
