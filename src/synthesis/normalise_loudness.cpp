#include "synthesis/normalise_loudness.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "audio/fast_loudness.h"
#include "audio/loudness.h"

namespace myxtts::synthesis {
namespace {

constexpr double kMeasuredSeconds = 0.4;  // one block of EBU R 128

std::optional<double> loudness_of(std::span<const float> samples, int sample_rate) {
  audio::LoudnessScratch scratch;
  const auto block = static_cast<std::size_t>(std::ceil(kMeasuredSeconds * sample_rate)) + 1;
  if (samples.empty() || samples.size() >= block) {
    return audio::fast_loudness(samples, sample_rate, scratch);
  }
  std::vector<float> repeated;
  while (repeated.size() < 2 * block)
    repeated.insert(repeated.end(), samples.begin(), samples.end());
  return audio::fast_loudness(repeated, sample_rate, scratch);
}

}  // namespace

double normalise_loudness(std::span<float> samples,
                          int sample_rate,
                          std::optional<double> target_lufs) {
  double gain = 1.0;
  if (target_lufs) {
    const std::optional<double> lufs = loudness_of(samples, sample_rate);
    if (lufs) gain = std::pow(10.0, (*target_lufs - *lufs) / 20.0);
  }
  const double peak = audio::peak_of(samples) * gain;
  if (peak > kMaxPeak) gain *= kMaxPeak / peak;
  if (gain != 1.0) audio::apply_gain(samples, gain);
  return gain;
}

}  // namespace myxtts::synthesis
