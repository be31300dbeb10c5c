#pragma once

#include <torch/types.h>

namespace xtts::model {

// Three measures of how far predicted spectra are from recorded ones, of each row:
//   the mean of |difference of the logarithms of magnitudes|, those not below kMagnitudeFloor;
//   spectral convergence: the length of the difference of magnitudes as a share of that of the
//   recorded ones, or of kQuietMagnitude in every bin if that is more (silence has no share);
//   the mean of |difference| of real and imaginary parts.
// On the CPU in one pass each way by threads that share the frames; their number changes no bit.
// By LibTorch on other devices.
//
// predicted, recorded [B, M, F] complex64 -> [B, 3] float32. `recorded` has no gradient.
torch::Tensor spectral_distance(const torch::Tensor& predicted, const torch::Tensor& recorded);
torch::Tensor reference_spectral_distance(const torch::Tensor& predicted,
                                          const torch::Tensor& recorded);

// 40 dB below that of speech.
constexpr double kQuietMagnitude = 1e-2;

}  // namespace xtts::model
