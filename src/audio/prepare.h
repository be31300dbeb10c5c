#pragma once

#include <optional>
#include <span>
#include <vector>

#include "audio/decode.h"
#include "audio/mel_contract.h"

namespace xtts::audio {

// What prepare() did to a recording, for people who look at it.
struct PreparedSound {
  std::vector<float> samples;    // at the contract's rate
  double trimmed_start_s = 0.0;  // cut off at the front
  double trimmed_end_s = 0.0;    // and at the end
  std::optional<double>
      loudness_lufs;     // before the gain; absent: too short or too quiet to measure
  double gain_db = 0.0;  // loudness and peak gain together
};

// Decoded samples to the samples a mel is computed from: resample, trim, loudness, peak.
// Thread-safe. Throws UsageError for a contract that validate() refuses.
std::vector<float> prepare(const Sound& sound, const MelContract& contract);

// The same samples, with what was done on the way. Measures the loudness even if no gain needs it,
// which takes longer than all the rest.
PreparedSound prepare_with_report(const Sound& sound, const MelContract& contract);

}  // namespace xtts::audio
