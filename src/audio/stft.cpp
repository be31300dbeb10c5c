#include "audio/stft.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace myxtts::audio {

std::vector<double> hann_window(int length) {
  std::vector<double> window;
  window.reserve(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) {
    window.push_back(0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * i / length));
  }
  return window;
}

std::vector<double> centred_window(int n_fft, int win_length) {
  invariant(win_length >= 1 && win_length <= n_fft, "the window fits into the FFT");
  std::vector<double> window(static_cast<std::size_t>(n_fft), 0.0);
  std::ranges::copy(hann_window(win_length), window.begin() + (n_fft - win_length) / 2);
  return window;
}

std::size_t mirrored(std::int64_t index, std::int64_t size) {
  if (size == 1) return 0;
  const std::int64_t period = 2 * (size - 1);
  std::int64_t phase = index < 0 ? -index : index;
  if (phase >= period) phase %= period;  // rare; avoids a slow division
  return static_cast<std::size_t>(phase < size ? phase : period - phase);
}

Stft::Stft(int n_fft, int win_length, int hop_length)
    : fft_(n_fft), hop_length_(hop_length), window_(centred_window(n_fft, win_length)) {
  invariant(hop_length >= 1, "the hop is positive");
}

std::int64_t Stft::num_frames(std::size_t num_samples) const {
  return 1 + static_cast<std::int64_t>(num_samples) / hop_length_;
}

void Stft::frame(std::span<const float> samples,
                 std::int64_t index,
                 std::span<std::complex<double>> bins) const {
  const auto size = static_cast<std::int64_t>(samples.size());
  const auto length = static_cast<std::int64_t>(window_.size());
  const std::int64_t start = index * hop_length_ - length / 2;

  std::vector<double> windowed(window_.size(), 0.0);
  for (std::int64_t i = 0; i < length && size > 0; ++i) {
    const std::int64_t at = start + i;
    const bool inside = at >= 0 && at < size;
    const double sample = samples[inside ? static_cast<std::size_t>(at) : mirrored(at, size)];
    windowed[static_cast<std::size_t>(i)] = window_[static_cast<std::size_t>(i)] * sample;
  }
  fft_.forward(windowed, bins);
}

Spectrogram Stft::analyse(std::span<const float> samples) const {
  Spectrogram spectrogram{num_frames(samples.size()), num_bins(), {}};
  spectrogram.values.resize(static_cast<std::size_t>(spectrogram.num_frames) *
                            static_cast<std::size_t>(num_bins()));
  for (std::int64_t m = 0; m < spectrogram.num_frames; ++m) {
    frame(samples, m, spectrogram.frame(m));
  }
  return spectrogram;
}

std::vector<float> Stft::synthesise(Spectrogram spectrogram, std::size_t num_samples) const {
  invariant(spectrogram.num_bins == num_bins(), "the spectrogram has num_bins() bins");
  const std::size_t length = window_.size();
  const std::size_t half = length / 2;

  // Overlap-add in padded coordinates, which start half a frame earlier.
  std::vector<double> sum(num_samples + length, 0.0);
  std::vector<double> weight(num_samples + length, 0.0);
  std::vector<double> piece(length);
  for (std::int64_t m = 0; m < spectrogram.num_frames; ++m) {
    const auto start = static_cast<std::size_t>(m * hop_length_);
    fft_.inverse(spectrogram.frame(m), piece);
    for (std::size_t i = 0; i < length && start + i < sum.size(); ++i) {
      sum[start + i] += window_[i] * piece[i];
      weight[start + i] += window_[i] * window_[i];
    }
  }

  std::vector<float> samples(num_samples, 0.0F);
  for (std::size_t i = 0; i < num_samples; ++i) {
    const double total = weight[i + half];
    // Samples that no window covers (hop longer than window) stay zero.
    if (total > 1e-10) samples[i] = static_cast<float>(sum[i + half] / total);
  }
  return samples;
}

}  // namespace myxtts::audio
