#include "audio/prepare.h"

#include <cmath>

#include "audio/loudness.h"
#include "audio/resample.h"

namespace xtts::audio {
namespace {

// Windows of the trimming rule, in samples of the contract's rate; the margin keeps the onset of a
// soft consonant that lies below the threshold.
constexpr int kTrimFrame = 2048;
constexpr int kTrimHop = 512;
constexpr std::size_t kTrimMargin = 512;

void trim(PreparedAudio& prepared, const MelSpec& contract, TrimScratch& scratch) {
  std::vector<float>& samples = prepared.samples;
  const SampleRange kept =
      find_speech(samples, {kTrimFrame, kTrimHop, contract.trim_top_db, kTrimMargin}, scratch);
  const double rate = contract.sample_rate;
  prepared.trimmed_start_s = static_cast<double>(kept.begin) / rate;
  prepared.trimmed_end_s = static_cast<double>(samples.size() - kept.end) / rate;
  samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(kept.end), samples.end());
  samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(kept.begin));
}

// Measured where the gain or somebody who reads the number needs it.
enum class Loudness { kMeasured, kOnlyForTheGain };

// `prepared` has its samples alone, at `sample_rate`.
void prepare(PreparedAudio& prepared,
             int sample_rate,
             const MelSpec& contract,
             Loudness wanted,
             PrepareScratch& scratch) {
  if (sample_rate != contract.sample_rate) {
    resample(prepared.samples, sample_rate, contract.sample_rate, scratch.resampled);
    prepared.samples.assign(scratch.resampled.begin(), scratch.resampled.end());
  }
  if (contract.trim_silence) trim(prepared, contract, scratch.trim);

  double gain = 1.0;
  if (wanted == Loudness::kMeasured || contract.enable_loudness_normalization) {
    prepared.loudness_lufs =
        fast_loudness(prepared.samples, contract.sample_rate, scratch.loudness);
  }
  if (contract.enable_loudness_normalization && prepared.loudness_lufs) {
    gain = std::pow(10.0, (contract.target_loudness_lufs - *prepared.loudness_lufs) / 20.0);
  }
  const double peak = peak_of(prepared.samples) * gain;
  if (contract.normalize_audio && peak > kPeakLimit) gain *= kPeakLimit / peak;

  if (gain != 1.0) apply_gain(prepared.samples, gain);
  prepared.gain_db = to_dbfs(gain);
}

}  // namespace

std::vector<float> prepare(const AudioClip& sound, const MelSpec& contract) {
  validate(contract);
  std::vector<float> samples = sound.samples;
  PrepareScratch scratch;
  prepare(samples, sound.sample_rate, contract, scratch);
  return samples;
}

void prepare(std::vector<float>& samples,
             int sample_rate,
             const MelSpec& contract,
             PrepareScratch& scratch) {
  PreparedAudio prepared;
  prepared.samples.swap(samples);
  prepare(prepared, sample_rate, contract, Loudness::kOnlyForTheGain, scratch);
  samples.swap(prepared.samples);
}

PreparedAudio prepare_with_report(const AudioClip& sound, const MelSpec& contract) {
  validate(contract);
  PreparedAudio prepared;
  prepared.samples = sound.samples;
  PrepareScratch scratch;
  prepare(prepared, sound.sample_rate, contract, Loudness::kMeasured, scratch);
  return prepared;
}

}  // namespace xtts::audio
