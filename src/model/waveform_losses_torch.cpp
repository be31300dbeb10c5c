#include "model/waveform_losses_torch.h"

#include "audio/mel_filterbank.h"
#include "audio/stft.h"
#include "model/frame_mel_spec.h"
#include "model/frames_torch.h"
#include "model/spectral_distance_torch.h"

namespace myxtts::model {
namespace {

constexpr int kOverlap = 4;  // frames that cover a sample

torch::Tensor window_of(int n_fft, int win_length) {
  return torch::tensor(audio::centred_window(n_fft, win_length), torch::kFloat32);
}

// [F, C]
torch::Tensor filters_of(const audio::MelSpec& spec) {
  const audio::MelFilterbank bank(spec);
  torch::Tensor filters = torch::zeros({bank.num_bins(), bank.num_mels()});
  auto weights = filters.accessor<float, 2>();
  for (std::int64_t channel = 0; channel < bank.num_mels(); ++channel) {
    const audio::MelFilterbank::Band& band = bank.bands()[static_cast<std::size_t>(channel)];
    auto bin = static_cast<std::int64_t>(band.first_bin);
    for (const double weight : band.weights)
      weights[bin++][channel] = static_cast<float>(weight);
  }
  return filters;
}

}  // namespace

WaveformLosses::WaveformLosses(const config::ModelConfig& config) : mel_floor_(config.mel_floor) {
  const audio::MelSpec spec = frame_mel_spec(config);
  filters_ = filters_of(spec);
  const auto add = [&](int n_fft) {
    resolutions_.push_back({.hop_length = n_fft / kOverlap, .window = window_of(n_fft, n_fft)});
  };
  add(spec.n_fft / 4);
  add(spec.n_fft / 2);
  mel_index_ = resolutions_.size();
  resolutions_.push_back(
      {.hop_length = spec.hop_length, .window = window_of(spec.n_fft, spec.win_length)});
  add(spec.n_fft * 2);
}

WaveformLossSums WaveformLosses::operator()(const torch::Tensor& predicted,
                                            const torch::Tensor& recorded,
                                            const torch::Tensor& weights) const {
  torch::Tensor distances;  // [B, 3]
  WaveformLossSums sums;
  for (std::size_t i = 0; i < resolutions_.size(); ++i) {
    const Resolution& resolution = resolutions_[i];
    const torch::Tensor window = resolution.window.to(predicted.device());
    const torch::Tensor found = real_fft(frame_signal(predicted, window, resolution.hop_length));
    const torch::Tensor target =
        real_fft(frame_signal(recorded.detach(), window, resolution.hop_length));
    const torch::Tensor distance = spectral_distance(found, target);
    distances = distances.defined() ? distances + distance : distance;
    if (i != mel_index_) continue;
    const torch::Tensor filters = filters_.to(predicted.device());
    const auto log_mel = [&](const torch::Tensor& spectra) {
      return at::matmul(spectra.abs(), filters).clamp_min(mel_floor_).log();
    };
    const torch::Tensor mel_error = (log_mel(found) - log_mel(target)).abs().mean({1, 2});  // [B]
    sums.mel = (mel_error * weights).sum();
  }
  const torch::Tensor means =
      at::matmul(weights, distances) / static_cast<double>(resolutions_.size());
  sums.log_magnitude = means[0];
  sums.convergence = means[1];
  sums.complex = means[2];
  return sums;
}

}  // namespace myxtts::model
