// How far a sound is from a recording. B rows, S samples, M frames, F bins, C mel channels.
#pragma once

#include <vector>

#include <torch/types.h>

#include "config/model_config.h"

namespace xtts::model {

// Sums over the rows of each row's mean, not yet divided by a count: [] float32 each.
struct WaveformLossSums {
  torch::Tensor log_magnitude;  // |difference of the logarithms of magnitudes|
  torch::Tensor convergence;    // length of the difference of magnitudes as a share of theirs
  torch::Tensor complex;        // |difference of real and of imaginary parts|
  torch::Tensor mel;            // |difference of log-mels| by the mel contract
};

// The first three are means over four Fourier transforms: of a quarter, half, once and twice the
// contract's n_fft (256, 512, 1024 and 2048 samples), so that neither a moment nor a tone is
// blurred in all of them. That of n_fft has the contract's window and hop, the others a hop of a
// quarter of their window.
//
// All windows and filters are made here, none by the first call.
class WaveformLosses {
 public:
  // Throws UsageError for a mel contract that makes no mel.
  explicit WaveformLosses(const config::ModelConfig& config);

  // predicted and recorded [B, S] float32; weights [B] float32, 1 or, for an empty row, 0. Only
  // `predicted` is given a gradient.
  WaveformLossSums operator()(const torch::Tensor& predicted,
                              const torch::Tensor& recorded,
                              const torch::Tensor& weights) const;

 private:
  struct Resolution {
    int hop_length;
    torch::Tensor window;  // [n_fft] float32
  };

  std::vector<Resolution> resolutions_;
  std::size_t mel_index_;  // the resolution that is the contract's
  torch::Tensor filters_;  // [F, C] float32
  double mel_floor_;
};

}  // namespace xtts::model
