// Log-mels with LibTorch operators, on any device.
#pragma once

#include <torch/types.h>

#include "audio/mel_spec.h"

namespace myxtts::data {

// M frames, F bins, C channels, W the widest filter in bins.

// The mel filters without their zeros, for the CUDA kernel.
struct SparseFilters {
  torch::Tensor first_bins;  // [C]    int32, the first bin of each channel's filter
  torch::Tensor weights;     // [C, W] float32, padded with zeros
};

// Computes log-mels with LibTorch operators: many frames per FFT call, in float32, on any device.
// The reference implementation is audio::ReferenceMel; values differ from it by 1e-5 on average and
// at most 5e-3 (in channels near the floor).
//
// Immutable: threads may share one instance. On CUDA it uses the current stream.
class TorchMel {
 public:
  // Throws UsageError for an invalid spec, UserError for a CUDA device that this machine or build
  // does not have.
  explicit TorchMel(const audio::MelSpec& spec,
                    const torch::Device& device = torch::Device(torch::kCPU));

  // samples  [N] float32 at the spec's sample rate, on any device; N = 0 gives one silent frame
  // returns  [M, C] float32 on this device
  torch::Tensor log_mel(const torch::Tensor& samples) const;

  const torch::Device& device() const { return device_; }
  const torch::Tensor& filters() const { return filters_; }  // [F, C] float32, mostly zeros
  const SparseFilters& sparse_filters() const { return sparse_filters_; }

 private:
  torch::Tensor spectrum(const torch::Tensor& samples) const;  // [M, F] complex64

  audio::MelSpec spec_;
  torch::Device device_;
  torch::Tensor window_;   // [n_fft] float32
  torch::Tensor filters_;  // [F, C]
  SparseFilters sparse_filters_;
};

// The last stage of log_mel(): magnitudes, filters, floor, logarithm. Reference implementation of
// the CUDA kernel. spectrum  [M, F] complex64 filters   [F, C] float32 returns   [M, C] float32
torch::Tensor reference_log_mel(const torch::Tensor& spectrum,
                                const torch::Tensor& filters,
                                double floor);

}  // namespace myxtts::data
