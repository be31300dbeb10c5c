#pragma once

#include "audio/mel_contract.h"
#include "config/model_config.h"

namespace xtts::model {

// The mel contract as far as the sizes of a model tell it: how samples become frames. What is done
// to a recording before has its defaults, so its hash says nothing. Throws UsageError for a
// contract that makes no mel.
audio::MelContract frame_contract(const config::ModelConfig& config);

}  // namespace xtts::model
