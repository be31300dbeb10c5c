// M frames, N samples, F = n_fft / 2 + 1 bins, C channels, W the widest filter in bins.

#include "data/mel_torch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "audio/mel_filterbank.h"
#include "audio/stft.h"
#include "base/error.h"
#include "data/cuda_library.h"

namespace myxtts::data {
namespace {

torch::Tensor make_window(const audio::MelSpec& spec) {
  const std::vector<double> hann = audio::hann_window(spec.win_length);
  torch::Tensor window = torch::zeros({spec.n_fft});
  const int margin = (spec.n_fft - spec.win_length) / 2;
  auto values = window.accessor<float, 1>();
  for (int i = 0; i < spec.win_length; ++i) {
    values[margin + i] = static_cast<float>(hann[static_cast<std::size_t>(i)]);
  }
  return window;
}

// Returns the filters as [F, C], from the response of each channel.
torch::Tensor make_filters(const audio::MelSpec& spec) {
  const audio::MelFilterbank bank(spec);
  torch::Tensor filters = torch::zeros({bank.num_bins(), bank.num_mels()});
  auto weights = filters.accessor<float, 2>();
  std::vector<double> one_channel(static_cast<std::size_t>(bank.num_mels()), 0.0);
  std::vector<double> bins(static_cast<std::size_t>(bank.num_bins()));
  for (int c = 0; c < bank.num_mels(); ++c) {
    one_channel[static_cast<std::size_t>(c)] = 1.0;
    bank.apply_transposed(one_channel, bins);
    one_channel[static_cast<std::size_t>(c)] = 0.0;
    for (int f = 0; f < bank.num_bins(); ++f) {
      weights[f][c] = static_cast<float>(bins[static_cast<std::size_t>(f)]);
    }
  }
  return filters;
}

SparseFilters make_sparse(const torch::Tensor& filters) {
  const auto dense = filters.accessor<float, 2>();
  const std::int64_t num_bins = filters.size(0);
  const std::int64_t num_mels = filters.size(1);
  struct Run {
    std::int64_t first = 0, end = 0;
  };
  std::vector<Run> runs(static_cast<std::size_t>(num_mels));
  std::int64_t widest = 1;
  for (std::int64_t c = 0; c < num_mels; ++c) {
    Run& run = runs[static_cast<std::size_t>(c)];
    while (run.first < num_bins - 1 && dense[run.first][c] == 0.0F)
      ++run.first;
    run.end = num_bins;
    while (run.end > run.first && dense[run.end - 1][c] == 0.0F)
      --run.end;
    widest = std::max(widest, run.end - run.first);
  }

  SparseFilters sparse{torch::zeros({num_mels}, torch::kInt32), torch::zeros({num_mels, widest})};
  auto first_bins = sparse.first_bins.accessor<std::int32_t, 1>();
  auto weights = sparse.weights.accessor<float, 2>();
  for (std::int64_t c = 0; c < num_mels; ++c) {
    const Run& run = runs[static_cast<std::size_t>(c)];
    first_bins[c] = static_cast<std::int32_t>(run.first);
    for (std::int64_t f = run.first; f < run.end; ++f)
      weights[c][f - run.first] = dense[f][c];
  }
  return sparse;
}

// Returns the sample index at each position of the signal with reflection padding of `margin`. A
// signal shorter than the margin is reflected repeatedly.
torch::Tensor reflected_indices(std::int64_t num_samples, std::int64_t margin) {
  const std::int64_t period = std::max<std::int64_t>(1, 2 * (num_samples - 1));
  const torch::Tensor indices = torch::arange(-margin, num_samples + margin).remainder(period);
  return torch::minimum(indices, period - indices).clamp_max(num_samples - 1);
}

}  // namespace

TorchMel::TorchMel(const audio::MelSpec& spec, const torch::Device& device)
    : spec_(spec), device_(device) {
  audio::validate(spec);
  if (device.is_cuda()) mel_kernels();  // loads CUDA, or throws why it cannot
  const torch::Tensor filters = make_filters(spec);
  const SparseFilters sparse = make_sparse(filters);
  window_ = make_window(spec).to(device);
  filters_ = filters.to(device);
  sparse_filters_ = {sparse.first_bins.to(device), sparse.weights.to(device)};
}

torch::Tensor TorchMel::spectrum(const torch::Tensor& samples) const {
  const std::int64_t margin = spec_.n_fft / 2;
  const std::int64_t num_samples = samples.size(0);
  torch::Tensor padded;
  if (num_samples == 0) {
    padded = torch::zeros({spec_.n_fft}, samples.options());
  } else if (num_samples > margin) {
    padded = torch::reflection_pad1d(samples.unsqueeze(0), {margin, margin}).squeeze(0);
  } else {  // reflection_pad1d reflects only once
    padded = samples.index_select(0, reflected_indices(num_samples, margin).to(samples.device()));
  }
  const torch::Tensor frames = padded.unfold(0, spec_.n_fft, spec_.hop_length);
  return torch::fft_rfft(frames * window_);
}

torch::Tensor TorchMel::log_mel(const torch::Tensor& samples) const {
  invariant(samples.dim() == 1 && samples.scalar_type() == torch::kFloat32,
            "samples are a float32 vector");
  const torch::NoGradGuard no_gradients;
  const torch::Tensor bins = spectrum(samples.to(device_));
  if (device_.is_cuda()) {
    return mel_kernels().log_mel(bins, sparse_filters_, spec_.mel_floor);
  }
  return reference_log_mel(bins, filters_, spec_.mel_floor);
}

torch::Tensor reference_log_mel(const torch::Tensor& spectrum,
                                const torch::Tensor& filters,
                                double floor) {
  return spectrum.abs().matmul(filters).clamp_min(floor).log();
}

}  // namespace myxtts::data
