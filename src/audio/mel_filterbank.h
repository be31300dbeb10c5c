#pragma once

#include <span>
#include <vector>

#include "audio/mel_spec.h"

namespace myxtts::audio {

// Converts one magnitude spectrum into one mel frame with triangular, area-normalised filters, and
// applies the transposed filters.
//
// Immutable once built: threads share one instance without locking.
class MelFilterbank {
 public:
  // A filter is zero outside a short run of bins, so only that run is stored.
  struct Band {
    std::size_t first_bin = 0;
    std::vector<double> weights;
  };

  // Throws UsageError if a filter would cover no FFT bin (too many mels for this FFT size).
  explicit MelFilterbank(const MelSpec& spec);

  int num_bins() const { return num_bins_; }
  int num_mels() const { return static_cast<int>(bands_.size()); }
  std::span<const Band> bands() const { return bands_; }  // low to high frequency

  // magnitude  [num_bins]  linear, not dB
  // mel        [num_mels]  overwritten
  void apply(std::span<const double> magnitude, std::span<double> mel) const;

  // Applies the transpose: distributes every channel over its bins by their weights.
  // mel        [num_mels]
  // magnitude  [num_bins]  overwritten
  void apply_transposed(std::span<const double> mel, std::span<double> magnitude) const;

 private:
  int num_bins_;
  std::vector<Band> bands_;
};

}  // namespace myxtts::audio
