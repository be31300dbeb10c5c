// Request to convert mel frames to samples with a vocoder.
#pragma once

#include <string>
#include <vector>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace myxtts::synthesis {

struct VocodeRequest {
  std::string vocoder;  // run folder or checkpoint
  audio::Mel mel;
  audio::MelSpec mel_spec;  // of the mel
};

// Returns samples at the rate of the mel spec. Throws UsageError for a missing vocoder, UserError
// for one that cannot be used or was trained with another mel spec. Needs LibTorch.
std::vector<float> vocode(const VocodeRequest& request);

}  // namespace myxtts::synthesis
