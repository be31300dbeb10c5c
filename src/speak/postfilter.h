#pragma once

#include "audio/mel.h"
#include "config/model_config.h"

namespace xtts::speak {

inline constexpr double kMostSharpness = 2.0;

// What a model's frames need; measured, see docs/en/experiments.md. A flow's are no mean of
// several.
double default_postfilter(const config::ModelConfig& model);

// Raises what stands out from its neighbours in a frame, and lowers what lies below them: each
// value moves away from the mean over seven channels around it by `sharpness` times its distance
// from it. A decoder that learned by absolute error smears the peaks of a frame into the valleys
// beside them; this takes some of that back. Values stay within `lowest` to `highest`; 0 changes
// none.
void postfilter(audio::Mel& mel, double sharpness, float lowest, float highest);

}  // namespace xtts::speak
