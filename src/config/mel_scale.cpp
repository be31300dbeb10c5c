#include "config/mel_scale.h"

#include <cmath>

namespace myxtts::config {
namespace {

constexpr double kKneeHz = 1000.0;
constexpr double kHzPerMelBelowKnee = 200.0 / 3.0;
constexpr double kKneeMel = kKneeHz / kHzPerMelBelowKnee;
constexpr double kLogStepAboveKnee =
    0.06875177742094912;  // ln(6.4) / 27: 27 mels from 1 to 6.4 kHz

}  // namespace

double hz_to_mel(double hz) {
  if (hz < kKneeHz) return hz / kHzPerMelBelowKnee;
  return kKneeMel + std::log(hz / kKneeHz) / kLogStepAboveKnee;
}

double mel_to_hz(double mel) {
  if (mel < kKneeMel) return mel * kHzPerMelBelowKnee;
  return kKneeHz * std::exp((mel - kKneeMel) * kLogStepAboveKnee);
}

std::vector<double> mel_edges_hz(double mel_fmin, double mel_fmax, int n_mels) {
  const double low = hz_to_mel(mel_fmin);
  const double step = (hz_to_mel(mel_fmax) - low) / (n_mels + 1);
  std::vector<double> edges;
  edges.reserve(static_cast<std::size_t>(n_mels) + 2);
  for (int i = 0; i < n_mels + 2; ++i)
    edges.push_back(mel_to_hz(low + step * i));
  return edges;
}

std::optional<int> first_empty_mel_channel(const ModelConfig& model) {
  constexpr int kMaxChannels = 4096;  // far above the range of model.n_mels
  const bool is_valid = model.n_mels >= 1 && model.n_mels <= kMaxChannels && model.n_fft >= 1 &&
                        model.sample_rate >= 1 && model.mel_fmin >= 0.0 &&
                        model.mel_fmin < model.mel_fmax &&
                        model.mel_fmax <= model.sample_rate / 2.0;
  if (!is_valid) return std::nullopt;

  const double hz_per_bin = static_cast<double>(model.sample_rate) / model.n_fft;
  const std::vector<double> edges = mel_edges_hz(model.mel_fmin, model.mel_fmax, model.n_mels);
  for (int i = 0; i < model.n_mels; ++i) {
    const auto channel = static_cast<std::size_t>(i);
    double bin = std::floor(edges[channel] / hz_per_bin);
    while (bin * hz_per_bin <= edges[channel])
      ++bin;
    if (bin * hz_per_bin >= edges[channel + 2]) return i;
  }
  return std::nullopt;
}

}  // namespace myxtts::config
