// Mel frames to samples. B rows, K frames, C mel channels, D the width, F = n_fft / 2 + 1 bins,
// S = (K - 1) * hop_length samples. No shape in here depends on a value.
#pragma once

#include <cstdint>
#include <memory>

#include <torch/types.h>

#include "config/model_config.h"
#include "model/mel_normalisation.h"
#include "model/parameters_torch.h"
#include "model/waveform_discriminators_torch.h"

namespace xtts::model {

// ConvNeXt blocks at frame rate predict magnitude and phase of each frame's spectrum; the inverse
// Fourier transform makes them samples (after Vocos, arXiv:2306.00814). What is learned of the
// magnitude is the difference to the envelope that the mel shows, so that a fresh one whispers
// what it is given.
//
// Works on the device of its parameters. What it is given may be on any; what it returns is there.
class Vocoder {
 public:
  // Makes parameters from `seed`; sizes are the config's vocoder_*, n_fft, win_length, hop_length
  // and n_mels. Throws UsageError for a mel contract that makes no mel.
  // With discriminators their parameters are the last of the set, so that one optimiser trains both
  // sides.
  Vocoder(const config::ModelConfig& config, std::uint64_t seed, bool with_discriminators = false);
  ~Vocoder();

  // mel [B, K, C] float32 natural logarithm, K >= 2 -> [B, S] float32, where frame k is centred on
  // sample k * hop_length. The blocks compute in `type`, float32 or bfloat16; what follows them in
  // float32.
  torch::Tensor forward(const torch::Tensor& mel, torch::ScalarType type) const;

  // Samples from frame k to frame k + 1 depend on frames k - context_frames() to
  // k + 1 + context_frames() and on no others.
  std::int64_t context_frames() const;

  ParameterSet& parameters();
  const ParameterSet& parameters() const;
  MelNormalisation& mel_scale();
  const WaveformDiscriminators* discriminators() const;  // null without
  const config::ModelConfig& config() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xtts::model
