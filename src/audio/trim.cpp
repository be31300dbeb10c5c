#include "audio/trim.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace xtts::audio {
namespace {

// Mean square of each frame centred on a multiple of the hop; beyond the ends is silence.
std::vector<double> frame_powers(std::span<const float> samples, const TrimSettings& settings) {
  const auto size = static_cast<std::int64_t>(samples.size());
  const std::int64_t half = settings.frame_length / 2;

  std::vector<double> powers;
  for (std::int64_t centre = 0; centre <= size; centre += settings.hop_length) {
    const std::int64_t begin = std::max<std::int64_t>(0, centre - half);
    const std::int64_t end = std::min(size, centre - half + settings.frame_length);
    double sum = 0.0;
    for (std::int64_t i = begin; i < end; ++i) {
      const double sample = samples[static_cast<std::size_t>(i)];
      sum += sample * sample;
    }
    powers.push_back(sum / settings.frame_length);
  }
  return powers;
}

}  // namespace

SampleRange find_sound(std::span<const float> samples, const TrimSettings& settings) {
  invariant(settings.frame_length > 0 && settings.hop_length > 0, "trim frames have a length");
  const std::vector<double> powers = frame_powers(samples, settings);
  const double loudest = *std::ranges::max_element(powers);
  if (loudest <= 0.0) return {0, samples.size()};

  const double threshold = loudest * std::pow(10.0, -settings.top_db / 10.0);
  auto is_sound = [&](double power) { return power > threshold; };
  const auto first = std::find_if(powers.begin(), powers.end(), is_sound);
  const auto last = std::find_if(powers.rbegin(), powers.rend(), is_sound);

  const auto hop = static_cast<std::size_t>(settings.hop_length);
  const std::size_t begin = static_cast<std::size_t>(first - powers.begin()) * hop;
  const std::size_t end = static_cast<std::size_t>(powers.rend() - last) * hop;
  return {begin - std::min(begin, settings.margin),
          std::min(samples.size(), end + settings.margin)};
}

}  // namespace xtts::audio
