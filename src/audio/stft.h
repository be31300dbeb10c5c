// Short-time Fourier transform and its inverse.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "audio/fft.h"

namespace myxtts::audio {

// A complex spectrogram: M frames of F = n_fft / 2 + 1 bins.
struct Spectrogram {
  std::int64_t num_frames = 0;
  int num_bins = 0;
  std::vector<std::complex<double>> values;  // [M, F], frame after frame

  std::span<std::complex<double>> frame(std::int64_t index) {
    const auto bins = static_cast<std::size_t>(num_bins);
    return std::span(values).subspan(static_cast<std::size_t>(index) * bins, bins);
  }
};

// Short-time Fourier transform with a periodic Hann window, frames centred on multiples of the hop.
//
// Beyond its ends the signal is mirrored about its first and last sample (reflect padding, as in
// numpy.pad), repeatedly if it is shorter than half a frame: ... 3 2 1 [0 1 2 3] 2 1 0 1 ... A
// single sample is repeated; no samples give silence.
//
// Immutable once built: threads share one instance without locking.
class Stft {
 public:
  // A window shorter than n_fft is centred, with zeros on both sides.
  Stft(int n_fft, int win_length, int hop_length);

  int num_bins() const { return fft_.num_bins(); }
  std::int64_t num_frames(std::size_t num_samples) const;

  // Computes the frame centred on sample index * hop_length.
  // bins  [num_bins]  overwritten
  void frame(std::span<const float> samples,
             std::int64_t index,
             std::span<std::complex<double>> bins) const;

  Spectrogram analyse(std::span<const float> samples) const;

  // Returns the signal of `num_samples` whose frames are closest to the given ones in the
  // least-squares sense: the exact inverse of analyse(). Consumes the spectrogram.
  std::vector<float> synthesise(Spectrogram spectrogram, std::size_t num_samples) const;

 private:
  RealFft fft_;
  int hop_length_;
  std::vector<double> window_;  // [n_fft]
};

// The periodic Hann window: 0.5 - 0.5 cos(2 pi i / length).
std::vector<double> hann_window(int length);

// A Hann window of `win_length`, centred in n_fft values with zeros on both sides.
std::vector<double> centred_window(int n_fft, int win_length);

// Maps position `index` of an endlessly mirrored signal of `size` > 0 samples to a sample index.
std::size_t mirrored(std::int64_t index, std::int64_t size);

}  // namespace myxtts::audio
