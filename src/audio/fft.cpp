// A real signal of 2h numbers is packed into h complex ones (even samples real, odd imaginary),
// transformed by the textbook radix-2 method (Cooley and Tukey: bit reversal, then butterflies of
// doubling width). The spectra of the even and odd samples are then separated by symmetry and
// combined. This takes half the work of a complex transform.

#include "audio/fft.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "base/error.h"

namespace myxtts::audio {
namespace {

using Complex = std::complex<double>;

bool is_power_of_two(int n) {
  return n > 0 && (n & (n - 1)) == 0;
}

// std::complex's operator* checks for infinities; inputs are finite and this is the inner loop.
Complex multiply(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

RealFft::RealFft(int size) : half_(size / 2) {
  invariant(is_power_of_two(size) && size >= 4, "FFT size is a power of two, at least 4");

  for (int k = 0; k < half_; ++k) {
    twiddles_.push_back(std::polar(1.0, -2.0 * std::numbers::pi * k / size));
  }
  bit_reversed_.assign(static_cast<std::size_t>(half_), 0);
  for (int i = 1; i < half_; ++i) {
    const int shifted = bit_reversed_[static_cast<std::size_t>(i / 2)] / 2;
    bit_reversed_[static_cast<std::size_t>(i)] = shifted + (i % 2 == 1 ? half_ / 2 : 0);
  }
}

void RealFft::transform(std::span<Complex> values) const {
  const auto n = static_cast<std::size_t>(half_);
  for (std::size_t i = 0; i < n; ++i) {
    const auto j = static_cast<std::size_t>(bit_reversed_[i]);
    if (i < j) std::swap(values[i], values[j]);
  }
  for (std::size_t width = 1; width < n; width *= 2) {
    const std::size_t stride =
        n / width;  // twiddles_ are roots of order 2n; a butterfly spans 2 width
    for (std::size_t start = 0; start < n; start += 2 * width) {
      for (std::size_t i = 0; i < width; ++i) {
        Complex& upper = values[start + i];
        Complex& lower = values[start + i + width];
        const Complex rotated = multiply(lower, twiddles_[i * stride]);
        lower = upper - rotated;
        upper += rotated;
      }
    }
  }
}

void RealFft::forward(std::span<const double> signal, std::span<Complex> bins) const {
  invariant(std::ssize(signal) == size(), "signal has size() values");
  invariant(std::ssize(bins) == num_bins(), "bins has num_bins() values");
  const auto h = static_cast<std::size_t>(half_);

  for (std::size_t i = 0; i < h; ++i)
    bins[i] = {signal[2 * i], signal[2 * i + 1]};
  transform(bins.first(h));

  const Complex first = bins[0];
  bins[0] = first.real() + first.imag();
  bins[h] = first.real() - first.imag();
  for (std::size_t k = 1; k <= h / 2; ++k) {
    const Complex here = bins[k];
    const Complex mirrored = std::conj(bins[h - k]);
    const Complex even = 0.5 * (here + mirrored);
    const Complex odd = multiply(0.5 * (here - mirrored), {0.0, -1.0});
    const Complex rotated = multiply(odd, twiddles_[k]);
    bins[k] = even + rotated;
    bins[h - k] = std::conj(even - rotated);
  }
}

void RealFft::inverse(std::span<Complex> bins, std::span<double> signal) const {
  invariant(std::ssize(bins) == num_bins(), "bins has num_bins() values");
  invariant(std::ssize(signal) == size(), "signal has size() values");
  const auto h = static_cast<std::size_t>(half_);

  const double first = bins[0].real();
  const double last = bins[h].real();
  bins[0] = {0.5 * (first + last), 0.5 * (first - last)};
  for (std::size_t k = 1; k <= h / 2; ++k) {
    const Complex here = bins[k];
    const Complex mirrored = std::conj(bins[h - k]);
    const Complex even = 0.5 * (here + mirrored);
    const Complex odd = multiply(0.5 * (here - mirrored), std::conj(twiddles_[k]));
    const Complex odd_rotated = multiply(odd, {0.0, 1.0});
    bins[k] = even + odd_rotated;
    bins[h - k] = std::conj(even - odd_rotated);
  }

  // The inverse transform is the conjugate of the transform of the conjugate.
  for (Complex& bin : bins.first(h))
    bin = std::conj(bin);
  transform(bins.first(h));
  const double scale = 1.0 / static_cast<double>(half_);
  for (std::size_t i = 0; i < h; ++i) {
    signal[2 * i] = bins[i].real() * scale;
    signal[2 * i + 1] = -bins[i].imag() * scale;
  }
}

}  // namespace myxtts::audio
