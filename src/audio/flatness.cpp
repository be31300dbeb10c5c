#include "audio/flatness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "audio/fft.h"
#include "audio/stft.h"

namespace myxtts::audio {
namespace {

constexpr double kActiveBelowLoudestDb = 30.0;
constexpr double kTinyPower = 1e-20;  // avoids log 0; far below 16-bit resolution

double mean_square(std::span<const float> samples) {
  double sum = 0.0;
  for (const float sample : samples)
    sum += double{sample} * sample;
  return sum / static_cast<double>(samples.size());
}

struct ActiveFrame {
  std::size_t start = 0;
  double power = 0.0;
};

// Returns the frames within kActiveBelowLoudestDb of the loudest frame.
std::vector<ActiveFrame> active_frames(std::span<const float> samples,
                                       std::size_t frame,
                                       std::size_t hop) {
  std::vector<double> powers;
  for (std::size_t at = 0; at + frame <= samples.size(); at += hop)
    powers.push_back(mean_square(samples.subspan(at, frame)));
  std::vector<ActiveFrame> active;
  if (powers.empty()) return active;
  const double loudest = std::ranges::max(powers);
  const double threshold = loudest * std::pow(10.0, -kActiveBelowLoudestDb / 10.0);
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (loudest > 0.0 && powers[i] >= threshold) active.push_back({i * hop, powers[i]});
  }
  return active;
}

// Computes the power spectrum of one frame at a time within the band.
class BandPower {
 public:
  BandPower(int frame, int sample_rate) : fft_(frame), window_(hann_window(frame)) {
    const double bin_hz = static_cast<double>(sample_rate) / frame;
    const double high_hz = std::min(kFlatnessHighHz, sample_rate / 2.0);
    first_bin_ = static_cast<std::size_t>(std::ceil(kFlatnessLowHz / bin_hz));
    powers_.resize(static_cast<std::size_t>(high_hz / bin_hz) - first_bin_ + 1);
    bins_.resize(static_cast<std::size_t>(fft_.num_bins()));
    windowed_.resize(window_.size());
  }

  std::size_t size() const { return powers_.size(); }

  // The result is valid until the next call.
  std::span<const double> of(std::span<const float> samples) {
    for (std::size_t i = 0; i < windowed_.size(); ++i)
      windowed_[i] = window_[i] * samples[i];
    fft_.forward(windowed_, bins_);
    for (std::size_t i = 0; i < powers_.size(); ++i)
      powers_[i] = std::norm(bins_[first_bin_ + i]) + kTinyPower;
    return powers_;
  }

 private:
  RealFft fft_;
  std::vector<double> window_;
  std::vector<double> windowed_;
  std::vector<std::complex<double>> bins_;
  std::size_t first_bin_ = 0;
  std::vector<double> powers_;
};

// Spectral flatness of powers[i] / weights[i].
double flatness_db(std::span<const double> powers, std::span<const double> weights) {
  double log_sum = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    const double power = powers[i] / weights[i];
    log_sum += std::log10(power);
    sum += power;
  }
  const auto count = static_cast<double>(powers.size());
  return 10.0 * (log_sum / count - std::log10(sum / count));
}

double level_std_db(std::span<const ActiveFrame> frames) {
  const auto count = static_cast<double>(frames.size());
  double mean = 0.0;
  for (const ActiveFrame& frame : frames)
    mean += 10.0 * std::log10(frame.power) / count;
  double variance = 0.0;
  for (const ActiveFrame& frame : frames)
    variance += std::pow(10.0 * std::log10(frame.power) - mean, 2.0) / count;
  return std::sqrt(variance);
}

double lower_quartile(std::vector<double>& values) {
  const auto place = values.begin() + std::ssize(values) / 4;
  std::ranges::nth_element(values, place);
  return *place;
}

}  // namespace

Flatness spectral_flatness(std::span<const float> samples, int sample_rate) {
  constexpr int kLowestRate = 1000;
  if (sample_rate < kLowestRate) return {};
  const std::size_t frame = std::bit_floor(static_cast<std::size_t>(sample_rate) / 20);
  const std::size_t hop = frame / 2;
  const std::vector<ActiveFrame> active = active_frames(samples, frame, hop);
  if (active.empty()) return {};

  BandPower power(static_cast<int>(frame), sample_rate);
  const std::vector<double> ones(power.size(), 1.0);
  std::vector<double> mean(power.size());
  std::vector<double> found;
  for (const ActiveFrame& one : active) {
    const std::span<const double> powers = power.of(samples.subspan(one.start, frame));
    found.push_back(flatness_db(powers, ones));
    for (std::size_t i = 0; i < powers.size(); ++i)
      mean[i] += powers[i] / static_cast<double>(active.size());
  }
  Flatness flatness{.spectral_db = lower_quartile(found),
                    .relative_db = 0.0,
                    .level_std_db = level_std_db(active),
                    .active_s = static_cast<double>(active.size() * hop) / sample_rate};
  found.clear();
  for (const ActiveFrame& one :
       active)  // recomputed: all spectra of a long clip need too much memory
    found.push_back(flatness_db(power.of(samples.subspan(one.start, frame)), mean));
  flatness.relative_db = lower_quartile(found);
  return flatness;
}

}  // namespace myxtts::audio
