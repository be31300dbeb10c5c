#pragma once

#include "audio/mel_spec.h"
#include "config/model_config.h"

namespace xtts::model {

// The mel contract as far as the sizes of a model tell it: how samples become frames. What is done
// to a recording before has its defaults, so its hash says nothing. Throws UsageError for a
// contract that makes no mel.
audio::MelSpec frame_mel_spec(const config::ModelConfig& config);

}  // namespace xtts::model
