#pragma once

#include "base/cpu_features.h"

namespace xtts::base {

// What oneDNN, which multiplies matrices for LibTorch, reads when it is first asked for a product:
// the newest instructions that it may use.
inline constexpr const char* kOnednnLimit = "ONEDNN_MAX_CPU_ISA";
// Everything but tiles.
inline constexpr const char* kOnednnWithoutTiles = "AVX512_CORE_FP16";

// Has oneDNN do without tiles that no palette is listed for: it would take their sizes for zero and
// die of an illegal instruction in the first product of bfloat16 (oneDNN issue 5689, in LibTorch
// 2.13). A limit that the environment has already stays. Comes before LibTorch computes anything.
void limit_onednn(bool tiles_are_unlisted = has_unlisted_tiles());

}  // namespace xtts::base
