#include "audio/prepare.h"

#include <cmath>
#include <utility>

#include "audio/loudness.h"
#include "audio/resample.h"
#include "audio/trim.h"

namespace xtts::audio {
namespace {

// Windows of the trimming rule, in samples of the contract's rate; the margin keeps the onset of a
// soft consonant that lies below the threshold.
constexpr int kTrimFrame = 2048;
constexpr int kTrimHop = 512;
constexpr std::size_t kTrimMargin = 512;

void trim(PreparedSound& prepared, const MelContract& contract) {
  std::vector<float>& samples = prepared.samples;
  const SampleRange kept =
      find_sound(samples, {kTrimFrame, kTrimHop, contract.trim_top_db, kTrimMargin});
  const double rate = contract.sample_rate;
  prepared.trimmed_start_s = static_cast<double>(kept.begin) / rate;
  prepared.trimmed_end_s = static_cast<double>(samples.size() - kept.end) / rate;
  samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(kept.end), samples.end());
  samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(kept.begin));
}

// Measuring costs more than all the rest: it is done where somebody reads the number.
enum class Loudness { kMeasured, kOnlyForTheGain };

PreparedSound prepare(const Sound& sound, const MelContract& contract, Loudness wanted) {
  validate(contract);
  PreparedSound prepared;
  prepared.samples = resample(sound.samples, sound.sample_rate, contract.sample_rate);
  if (contract.trim_silence) trim(prepared, contract);

  double gain = 1.0;
  if (wanted == Loudness::kMeasured || contract.enable_loudness_normalization) {
    prepared.loudness_lufs = measure_loudness(prepared.samples, contract.sample_rate);
  }
  if (contract.enable_loudness_normalization && prepared.loudness_lufs) {
    gain = std::pow(10.0, (contract.target_loudness_lufs - *prepared.loudness_lufs) / 20.0);
  }
  const double peak = peak_of(prepared.samples) * gain;
  if (contract.normalize_audio && peak > kPeakLimit) gain *= kPeakLimit / peak;

  if (gain != 1.0) apply_gain(prepared.samples, gain);
  prepared.gain_db = to_dbfs(gain);
  return prepared;
}

}  // namespace

std::vector<float> prepare(const Sound& sound, const MelContract& contract) {
  return std::move(prepare(sound, contract, Loudness::kOnlyForTheGain).samples);
}

PreparedSound prepare_with_report(const Sound& sound, const MelContract& contract) {
  return prepare(sound, contract, Loudness::kMeasured);
}

}  // namespace xtts::audio
