// Derives a mel spec from the sizes of a model.
#pragma once

#include "audio/mel_spec.h"
#include "config/model_config.h"

namespace myxtts::model {

// Returns the mel spec that follows from the sizes of a model: FFT, window, hop and channels.
// Preprocessing of recordings has default values, so the fingerprint of this spec is meaningless.
// Throws UsageError if the sizes are invalid.
audio::MelSpec frame_mel_spec(const config::ModelConfig& config);

}  // namespace myxtts::model
