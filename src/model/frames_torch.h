// Framing of signals, overlap-add and the real FFT, with gradients. B rows, S samples, M frames, N
// samples of a window, F = N / 2 + 1 bins. Frame m is centred on sample m * hop. On the CPU threads
// share the rows, and the result does not depend on their number; other devices use the reference_
// functions.
#pragma once

#include <cstdint>

#include <torch/types.h>

namespace myxtts::model {

// Returns windowed frames [B, 1 + S / hop, N]. samples [B, S] float32, S >= 1; window [N] float32
// without gradient. Both ends are padded by reflection, repeatedly if necessary, like audio::Stft.
torch::Tensor frame_signal(const torch::Tensor& samples,
                           const torch::Tensor& window,
                           std::int64_t hop);
torch::Tensor reference_frame_signal(const torch::Tensor& samples,
                                     const torch::Tensor& window,
                                     std::int64_t hop);

// Returns the overlap-add of the windowed frames: [B, (M - 1) * hop] samples from the centre of the
// first frame to that of the last. frames [B, M, N] float32, M >= 2; window [N].
torch::Tensor overlap_add(const torch::Tensor& frames,
                          const torch::Tensor& window,
                          std::int64_t hop);
torch::Tensor reference_overlap_add(const torch::Tensor& frames,
                                    const torch::Tensor& window,
                                    std::int64_t hop);

// Real FFT: [..., N] float32 -> [..., F] complex64, N even. Its gradient is one inverse real FFT,
// whereas LibTorch computes a complex FFT of full length.
torch::Tensor real_fft(const torch::Tensor& signals);

}  // namespace myxtts::model
