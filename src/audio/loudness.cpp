#include "audio/loudness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include <ebur128.h>

#include "base/error.h"

namespace myxtts::audio {
namespace {

struct CloseMeter {
  void operator()(ebur128_state* meter) const { ebur128_destroy(&meter); }
};

}  // namespace

std::optional<double> measure_loudness(std::span<const float> samples, int sample_rate) {
  const std::unique_ptr<ebur128_state, CloseMeter> meter(
      ebur128_init(1, static_cast<unsigned long>(sample_rate), EBUR128_MODE_I));
  require(meter != nullptr, "cannot measure loudness at {} Hz", sample_rate);

  double lufs = 0.0;
  const bool measured =
      ebur128_add_frames_float(meter.get(), samples.data(), samples.size()) == EBUR128_SUCCESS &&
      ebur128_loudness_global(meter.get(), &lufs) == EBUR128_SUCCESS;
  if (!measured || !std::isfinite(lufs)) return std::nullopt;
  return lufs;
}

float peak_of(std::span<const float> samples) {
  std::array<float, 8> peaks{};  // independent maxima, to avoid a dependency chain
  std::size_t i = 0;
  for (; i + peaks.size() <= samples.size(); i += peaks.size()) {
    for (std::size_t lane = 0; lane < peaks.size(); ++lane)
      peaks[lane] = std::max(peaks[lane], std::abs(samples[i + lane]));
  }
  for (; i < samples.size(); ++i)
    peaks[0] = std::max(peaks[0], std::abs(samples[i]));
  return std::ranges::max(peaks);
}

double to_dbfs(double magnitude) {
  if (magnitude <= 0.0) return -std::numeric_limits<double>::infinity();
  return 20.0 * std::log10(magnitude);
}

void apply_gain(std::span<float> samples, double gain) {
  for (float& sample : samples)
    sample = static_cast<float>(sample * gain);
}

}  // namespace myxtts::audio
