// A signal as overlapping frames under a window, and back. B rows, S samples, M frames, N samples
// of a window, F = N / 2 + 1 bins. Frame m is centred on sample m * hop. On the CPU threads share
// the rows and their number changes no bit; by LibTorch on other devices.
#pragma once

#include <cstdint>

#include <torch/types.h>

namespace xtts::model {

// samples [B, S] float32, S >= 1; window [N] float32 without gradient -> [B, 1 + S / hop, N].
// Beyond either end the signal is mirrored, again and again, as by audio::Stft.
torch::Tensor cut_frames(const torch::Tensor& samples,
                         const torch::Tensor& window,
                         std::int64_t hop);
torch::Tensor reference_cut_frames(const torch::Tensor& samples,
                                   const torch::Tensor& window,
                                   std::int64_t hop);

// frames [B, M, N] float32; window [N] -> the sum of all frames in their places, [B, (M - 1) * hop]
// samples from the centre of the first frame to that of the last. M >= 2.
torch::Tensor add_frames(const torch::Tensor& frames,
                         const torch::Tensor& window,
                         std::int64_t hop);
torch::Tensor reference_add_frames(const torch::Tensor& frames,
                                   const torch::Tensor& window,
                                   std::int64_t hop);

// The bins of real signals, [..., N] float32 -> [..., F] complex64, N even. The way back is one
// transform to real numbers where LibTorch's own gradient takes one of full complex length.
torch::Tensor real_spectra(const torch::Tensor& signals);

}  // namespace xtts::model
