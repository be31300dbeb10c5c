// Spectral distances between predicted and recorded spectra, as a differentiable operator.
#pragma once

#include <torch/types.h>

namespace myxtts::model {

// Three distances between predicted and recorded spectra, per row:
//   the mean |difference| of log magnitudes, floored at kMagnitudeFloor;
//   spectral convergence: the norm of the difference of magnitudes divided by the norm of the
//   recorded ones, which counts as at least kQuietMagnitude in every bin (for silence);
//   the mean |difference| of real and imaginary parts.
// On the CPU one fused, multi-threaded pass each for forward and backward, whose result does not
// depend on the number of threads; on other devices the reference implementation.
//
// predicted, recorded [B, M, F] complex64 -> [B, 3] float32. `recorded` has no gradient.
torch::Tensor spectral_distance(const torch::Tensor& predicted, const torch::Tensor& recorded);
torch::Tensor reference_spectral_distance(const torch::Tensor& predicted,
                                          const torch::Tensor& recorded);

// Lower limit of the mean recorded magnitude, 40 dB below speech.
constexpr double kQuietMagnitude = 1e-2;

}  // namespace myxtts::model
