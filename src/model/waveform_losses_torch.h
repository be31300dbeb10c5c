// Multi-resolution STFT losses between a predicted and a recorded waveform. B rows, S samples, M
// frames, F bins, C mel channels.
#pragma once

#include <vector>

#include <torch/types.h>

#include "config/model_config.h"

namespace myxtts::model {

// Sums over rows of each row's mean, not yet divided by a count: [] float32 each.
struct WaveformLossSums {
  torch::Tensor log_magnitude;  // |difference| of log magnitudes
  torch::Tensor convergence;    // spectral convergence: relative norm of the magnitude difference
  torch::Tensor complex;        // |difference| of real and imaginary parts
  torch::Tensor mel;            // |difference| of log-mels according to the mel spec
};

// Computes WaveformLossSums. The first three losses are means over four STFTs of a quarter, half,
// once and twice the n_fft of the mel spec (256, 512, 1024 and 2048 samples), to cover different
// time and frequency resolutions. The STFT of n_fft has the window and hop of the mel spec, the
// others have a hop of a quarter window. The constructor computes all windows and filters.
class WaveformLosses {
 public:
  // Throws UsageError if the mel spec is invalid.
  explicit WaveformLosses(const config::ModelConfig& config);

  // predicted and recorded [B, S] float32; weights [B] float32 are 1, and 0 for an empty row. Only
  // `predicted` gets a gradient.
  WaveformLossSums operator()(const torch::Tensor& predicted,
                              const torch::Tensor& recorded,
                              const torch::Tensor& weights) const;

 private:
  struct Resolution {
    int hop_length;
    torch::Tensor window;  // [n_fft] float32
  };

  std::vector<Resolution> resolutions_;
  std::size_t mel_index_;  // index of the resolution of the mel spec
  torch::Tensor filters_;  // [F, C] float32
  double mel_floor_;
};

}  // namespace myxtts::model
