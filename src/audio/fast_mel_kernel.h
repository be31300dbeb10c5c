// Arithmetic of FastMel, compiled per vector instruction set and dispatched at run time.
#pragma once

#include <cstddef>

#include "audio/fast_mel_plan.h"

namespace myxtts::audio {

// Frames computed at once, one per vector lane: 1, 4, 8 or 16, by instruction set.
std::size_t frames_at_once();

// Computes the log-mel of frames_at_once() frames.
// rows     [num_rows] rows of padded_columns floats, `stride` apart; see FastMelPlan
// working  [working_floats], aligned to 64 bytes; overwritten
// returns  a pointer into `working`: [frames_at_once, plan.padded_channels]
const float* mel_of_rows(const FastMelPlan& plan,
                         const float* rows,
                         std::size_t stride,
                         float* working);

}  // namespace myxtts::audio
