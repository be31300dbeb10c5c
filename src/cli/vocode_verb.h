// What `myxtts audio --vocoder` asks of libmyxtts_torch.so.
#pragma once

#include <string>
#include <vector>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace xtts::cli {

struct VocodeRequest {
  std::string vocoder;  // its RUN or save
  audio::Mel mel;
  audio::MelSpec contract;  // of the mel
};

// Samples at the contract's rate. Throws UsageError for a vocoder that is not there, UserError for
// one that cannot be used or knows other mels. Lives in libmyxtts_torch.so.
std::vector<float> vocode(const VocodeRequest& request);

}  // namespace xtts::cli
