// Prepares decoded audio for mel extraction: resampling, trimming, loudness, peak.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "audio/decode.h"
#include "audio/fast_loudness.h"
#include "audio/mel_spec.h"
#include "audio/trim.h"

namespace myxtts::audio {

// Prepared samples of a recording, and what prepare() changed.
struct PreparedAudio {
  std::vector<float> samples;           // at the spec's sample rate
  double trimmed_start_s = 0.0;         // removed at the start
  double trimmed_end_s = 0.0;           // removed at the end
  std::optional<double> loudness_lufs;  // before the gain; empty: too short or too quiet to measure
  double gain_db = 0.0;                 // loudness and peak gain combined
};

// Reusable working memory of prepare().
struct PrepareScratch {
  std::vector<float> resampled;
  TrimScratch trim;
  LoudnessScratch loudness;
};

// Converts decoded samples to the input of mel extraction: resamples, trims silence, normalises
// loudness, limits the peak. Thread-safe. Throws UsageError for a spec that validate() rejects.
std::vector<float> prepare(const AudioClip& clip, const MelSpec& spec);

// Prepares in place, for a spec that validate() accepts: `samples` are at `sample_rate` before and
// at the spec's rate after. Allocates nothing once the scratch has grown, except inside the
// resampler.
void prepare(std::vector<float>& samples,
             int sample_rate,
             const MelSpec& spec,
             PrepareScratch& scratch);

// Returns the prepared samples and the changes. Measures the loudness even if no gain needs it.
PreparedAudio prepare_with_report(const AudioClip& clip, const MelSpec& spec);

}  // namespace myxtts::audio
