#pragma once

#include <optional>
#include <span>
#include <vector>

#include "audio/decode.h"
#include "audio/fast_loudness.h"
#include "audio/mel_spec.h"
#include "audio/trim.h"

namespace xtts::audio {

// What prepare() did to a recording, for people who look at it.
struct PreparedAudio {
  std::vector<float> samples;    // at the contract's rate
  double trimmed_start_s = 0.0;  // cut off at the front
  double trimmed_end_s = 0.0;    // and at the end
  std::optional<double>
      loudness_lufs;     // before the gain; absent: too short or too quiet to measure
  double gain_db = 0.0;  // loudness and peak gain together
};

// Working memory of prepare(), used again from call to call.
struct PrepareScratch {
  std::vector<float> resampled;
  TrimScratch trim;
  LoudnessScratch loudness;
};

// Decoded samples to the samples a mel is computed from: resample, trim, loudness, peak.
// Thread-safe. Throws UsageError for a contract that validate() refuses.
std::vector<float> prepare(const AudioClip& sound, const MelSpec& contract);

// The same in place, for a contract that validate() accepts: `samples` are at `sample_rate` before
// and at the contract's rate after. Asks for no memory once the scratch has grown, but for what the
// resampler has of its own.
void prepare(std::vector<float>& samples,
             int sample_rate,
             const MelSpec& contract,
             PrepareScratch& scratch);

// The same samples, with what was done on the way. Measures the loudness even if no gain needs it.
PreparedAudio prepare_with_report(const AudioClip& sound, const MelSpec& contract);

}  // namespace xtts::audio
