// The mel scale is Slaney's (config/mel_scale.h). Filters have equal area (2 / width in Hz), as in
// librosa.filters.mel(norm="slaney"); the golden files in tests/golden/mel verify it.

#include "audio/mel_filterbank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "config/mel_scale.h"

namespace myxtts::audio {
namespace {

struct Triangle {
  double left_hz, peak_hz, right_hz;

  double height_at(double hz) const {
    const double rise = (hz - left_hz) / (peak_hz - left_hz);
    const double fall = (right_hz - hz) / (right_hz - peak_hz);
    return std::max(0.0, std::min(rise, fall));
  }
};

// Peaks are evenly spaced in mel; each triangle spans from its left neighbour's peak to its right
// neighbour's peak.
std::vector<Triangle> make_triangles(const MelSpec& spec) {
  const std::vector<double> edges = config::mel_edges_hz(spec.mel_fmin, spec.mel_fmax, spec.n_mels);
  std::vector<Triangle> triangles;
  triangles.reserve(static_cast<std::size_t>(spec.n_mels));
  for (std::size_t m = 0; m + 2 < edges.size(); ++m)
    triangles.push_back({edges[m], edges[m + 1], edges[m + 2]});
  return triangles;
}

}  // namespace

MelFilterbank::MelFilterbank(const MelSpec& spec) : num_bins_(spec.n_fft / 2 + 1) {
  const double hz_per_bin = static_cast<double>(spec.sample_rate) / spec.n_fft;

  for (const Triangle& triangle : make_triangles(spec)) {
    const double area_norm = 2.0 / (triangle.right_hz - triangle.left_hz);

    Band band;
    for (int bin = 0; bin < num_bins_; ++bin) {
      const double height = triangle.height_at(bin * hz_per_bin);
      if (height <= 0.0) continue;
      if (band.weights.empty()) band.first_bin = static_cast<std::size_t>(bin);
      band.weights.push_back(height * area_norm);
    }
    require_usage(!band.weights.empty(),
                  "mel channel {} covers no FFT bin: lower model.n_mels ({}) or raise model.n_fft "
                  "({})",
                  bands_.size(),
                  spec.n_mels,
                  spec.n_fft);
    bands_.push_back(std::move(band));
  }
}

void MelFilterbank::apply(std::span<const double> magnitude, std::span<double> mel) const {
  invariant(std::ssize(magnitude) == num_bins(), "magnitude has num_bins values");
  invariant(std::ssize(mel) == num_mels(), "mel has num_mels values");

  std::transform(bands_.begin(), bands_.end(), mel.begin(), [&](const Band& band) {
    return std::inner_product(band.weights.begin(),
                              band.weights.end(),
                              magnitude.begin() + static_cast<std::ptrdiff_t>(band.first_bin),
                              0.0);
  });
}

void MelFilterbank::apply_transposed(std::span<const double> mel,
                                     std::span<double> magnitude) const {
  invariant(std::ssize(mel) == num_mels(), "mel has num_mels values");
  invariant(std::ssize(magnitude) == num_bins(), "magnitude has num_bins values");

  std::ranges::fill(magnitude, 0.0);
  for (std::size_t m = 0; m < bands_.size(); ++m) {
    const Band& band = bands_[m];
    for (std::size_t i = 0; i < band.weights.size(); ++i) {
      magnitude[band.first_bin + i] += mel[m] * band.weights[i];
    }
  }
}

}  // namespace myxtts::audio
