#pragma once

#include <complex>
#include <span>
#include <vector>

namespace myxtts::audio {

// Discrete Fourier transform of `size` real numbers; size is a power of two, at least 4.
//
// Immutable once built: threads share one instance without locking.
class RealFft {
 public:
  // Throws BugError for any other size; a MelSpec is validated before it gets here.
  explicit RealFft(int size);

  int size() const { return 2 * half_; }
  int num_bins() const { return half_ + 1; }

  // signal  [size]      real
  // bins    [num_bins]  overwritten: sum over t of signal[t] e^(-2 pi i k t / size), k = 0..size/2
  void forward(std::span<const double> signal, std::span<std::complex<double>> bins) const;

  // Inverse transform, scaled by 1/size. Ignores the imaginary parts of the first and last bin,
  // which are 0 for any real signal.
  // bins    [num_bins]  used as working space
  // signal  [size]      overwritten
  void inverse(std::span<std::complex<double>> bins, std::span<double> signal) const;

 private:
  void transform(std::span<std::complex<double>> values) const;

  int half_;
  std::vector<std::complex<double>> twiddles_;  // [half] e^(-2 pi i k / size)
  std::vector<int> bit_reversed_;               // [half]
};

}  // namespace myxtts::audio
