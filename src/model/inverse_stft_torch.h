#pragma once

#include <cstdint>

#include <torch/types.h>

namespace myxtts::model {

// Inverse STFT in float32 with gradients; audio::Stft::synthesise() is its reference. B rows, K
// frames, N = n_fft, F = N / 2 + 1 bins.
//
// The constructor computes the window; calls copy it to the device of their input.
class InverseStft {
 public:
  // The window of win_length samples is centred in n_fft, which is even.
  InverseStft(int n_fft, int win_length, int hop_length);

  // Log magnitudes and phases in radians, [B, K, F] float32 each, K >= 2
  // -> [B, (K - 1) * hop_length]. Frame k is centred on sample k * hop_length; each sample is the
  // windowed sum over the frames that reach it, divided by the sum of their squared windows.
  torch::Tensor operator()(const torch::Tensor& log_magnitude, const torch::Tensor& phase) const;

 private:
  std::int64_t hop_length_;
  torch::Tensor window_;  // [N] float32
};

}  // namespace myxtts::model
