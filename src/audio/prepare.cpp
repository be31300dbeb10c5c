#include "audio/prepare.h"

#include <cmath>

#include "audio/loudness.h"
#include "audio/resample.h"

namespace myxtts::audio {
namespace {

// Trimming windows in samples at the spec's rate. The margin preserves a soft consonant at the
// edge, which is quieter than the threshold.
constexpr int kTrimFrame = 2048;
constexpr int kTrimHop = 512;
constexpr std::size_t kTrimMargin = 512;

void trim(PreparedAudio& prepared, const MelSpec& spec, TrimScratch& scratch) {
  std::vector<float>& samples = prepared.samples;
  const SampleRange kept =
      find_speech(samples, {kTrimFrame, kTrimHop, spec.trim_top_db, kTrimMargin}, scratch);
  const double rate = spec.sample_rate;
  prepared.trimmed_start_s = static_cast<double>(kept.begin) / rate;
  prepared.trimmed_end_s = static_cast<double>(samples.size() - kept.end) / rate;
  samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(kept.end), samples.end());
  samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(kept.begin));
}

// When to measure the loudness: always, or only if the gain needs it.
enum class MeasureLoudness { kAlways, kIfNeeded };

// Prepares `prepared.samples`, which are at `sample_rate`, and fills the other fields.
void prepare(PreparedAudio& prepared,
             int sample_rate,
             const MelSpec& spec,
             MeasureLoudness wanted,
             PrepareScratch& scratch) {
  if (sample_rate != spec.sample_rate) {
    resample(prepared.samples, sample_rate, spec.sample_rate, scratch.resampled);
    prepared.samples.assign(scratch.resampled.begin(), scratch.resampled.end());
  }
  if (spec.trim_silence) trim(prepared, spec, scratch.trim);

  double gain = 1.0;
  if (wanted == MeasureLoudness::kAlways || spec.enable_loudness_normalization) {
    prepared.loudness_lufs = fast_loudness(prepared.samples, spec.sample_rate, scratch.loudness);
  }
  if (spec.enable_loudness_normalization && prepared.loudness_lufs) {
    gain = std::pow(10.0, (spec.target_loudness_lufs - *prepared.loudness_lufs) / 20.0);
  }
  const double peak = peak_of(prepared.samples) * gain;
  // normalize_audio, a key of the original, only lowers peaks.
  if (spec.normalize_audio && peak > kPeakLimit) gain *= kPeakLimit / peak;

  if (gain != 1.0) apply_gain(prepared.samples, gain);
  prepared.gain_db = to_dbfs(gain);
}

}  // namespace

std::vector<float> prepare(const AudioClip& clip, const MelSpec& spec) {
  validate(spec);
  std::vector<float> samples = clip.samples;
  PrepareScratch scratch;
  prepare(samples, clip.sample_rate, spec, scratch);
  return samples;
}

void prepare(std::vector<float>& samples,
             int sample_rate,
             const MelSpec& spec,
             PrepareScratch& scratch) {
  PreparedAudio prepared;
  prepared.samples.swap(samples);
  prepare(prepared, sample_rate, spec, MeasureLoudness::kIfNeeded, scratch);
  samples.swap(prepared.samples);
}

PreparedAudio prepare_with_report(const AudioClip& clip, const MelSpec& spec) {
  validate(spec);
  PreparedAudio prepared;
  prepared.samples = clip.samples;
  PrepareScratch scratch;
  prepare(prepared, clip.sample_rate, spec, MeasureLoudness::kAlways, scratch);
  return prepared;
}

}  // namespace myxtts::audio
