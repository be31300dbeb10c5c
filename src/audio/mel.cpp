#include "audio/mel.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "audio/mel_filterbank.h"
#include "audio/stft.h"

namespace myxtts::audio {
namespace {

MelSpec validated(const MelSpec& spec) {
  validate(spec);
  return spec;
}

}  // namespace

// No bin exceeds the sum of the window; no channel exceeds that sum times the sum of its weights.
float highest_log_mel(const MelSpec& spec) {
  const std::vector<double> window = hann_window(spec.win_length);
  const double highest_bin = std::accumulate(window.begin(), window.end(), 0.0);
  const MelFilterbank filters(spec);
  double highest = spec.mel_floor;
  for (const MelFilterbank::Band& band : filters.bands()) {
    const double weight = std::accumulate(band.weights.begin(), band.weights.end(), 0.0);
    highest = std::max(highest, weight * highest_bin);
  }
  return static_cast<float>(std::log(highest));
}

ReferenceMel::ReferenceMel(const MelSpec& spec)
    : spec_(validated(spec)),
      stft_(std::make_unique<Stft>(spec.n_fft, spec.win_length, spec.hop_length)),
      filters_(std::make_unique<MelFilterbank>(spec)) {}

ReferenceMel::~ReferenceMel() = default;

std::vector<double> ReferenceMel::linear_mel(std::span<const float> samples) const {
  const std::int64_t frames = num_frames(spec_, samples.size());
  const auto channels = static_cast<std::size_t>(spec_.n_mels);

  std::vector<double> mel(static_cast<std::size_t>(frames) * channels);
  std::vector<std::complex<double>> bins(static_cast<std::size_t>(stft_->num_bins()));
  std::vector<double> magnitude(bins.size());
  for (std::int64_t m = 0; m < frames; ++m) {
    stft_->frame(samples, m, bins);
    std::ranges::transform(bins, magnitude.begin(), [](const std::complex<double>& bin) {
      return std::sqrt(std::norm(bin));
    });
    filters_->apply(magnitude,
                    std::span(mel).subspan(static_cast<std::size_t>(m) * channels, channels));
  }
  return mel;
}

Mel ReferenceMel::log_mel(std::span<const float> samples) const {
  const std::vector<double> linear = linear_mel(samples);

  Mel mel{num_frames(spec_, samples.size()), spec_.n_mels, {}};
  mel.values.reserve(linear.size());
  for (const double value : linear) {
    mel.values.push_back(static_cast<float>(std::log(std::max(spec_.mel_floor, value))));
  }
  return mel;
}

}  // namespace myxtts::audio
