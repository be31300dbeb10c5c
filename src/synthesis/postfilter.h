// Postfilter against over-smoothed mel frames.
#pragma once

#include "audio/mel.h"
#include "config/model_config.h"

namespace myxtts::synthesis {

inline constexpr double kMaxPostfilter = 2.0;  // strength

// Returns the default strength for the decoder of a model: 0 for a flow decoder, whose frames are
// not over-smoothed, else 0.3 (docs/lab/2026-11-17-acoustic-model-variants.md).
double default_postfilter(const config::ModelConfig& model);

// Postfilter over the channels of each mel frame: moves each value away from the mean of the seven
// channels around it by `strength` times its distance from that mean. It counteracts the spectral
// over-smoothing of a decoder trained with L1 loss. Values are clamped to [lowest, highest]; a
// strength of 0 changes nothing.
void apply_postfilter(audio::Mel& mel, double strength, float lowest, float highest);

}  // namespace myxtts::synthesis
