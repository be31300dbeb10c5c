// The arithmetic of the fast mel, compiled for every vector instruction set and chosen at run time.
#pragma once

#include <cstddef>

#include "audio/fast_mel_plan.h"

namespace xtts::audio {

// Frames that the instruction set in use computes at once, one in each lane: 1, 4, 8 or 16.
std::size_t frames_at_once();

// Log-mel of frames_at_once() frames.
// rows     [num_rows] rows of padded_columns floats, `stride` apart; see FastMelPlan
// working  [working_floats], aligned to 64 bytes; what is in it before does not matter
// returns  a place in `working`: [frames_at_once, plan.padded_channels]
const float* mel_of_rows(const FastMelPlan& plan,
                         const float* rows,
                         std::size_t stride,
                         float* working);

}  // namespace xtts::audio
