// Neural vocoder: mel frames to waveform. B rows, K frames, C mel channels, D the width,
// F = n_fft / 2 + 1 bins, S = (K - 1) * hop_length samples. Shapes do not depend on values.
#pragma once

#include <cstdint>
#include <memory>

#include <torch/types.h>

#include "config/model_config.h"
#include "model/mel_normalisation.h"
#include "model/parameters_torch.h"
#include "model/waveform_discriminators_torch.h"

namespace myxtts::model {

// ConvNeXt blocks at frame rate predict magnitude and phase of each frame's spectrum, and an
// inverse STFT computes the samples (after Vocos, arXiv:2306.00814). The network predicts the log
// magnitude relative to the envelope of the mel, so that an untrained vocoder produces noise with
// this envelope.
//
// It computes on the device of its parameters: inputs may be on any device, results are on that
// one.
class Vocoder {
 public:
  // Initialises the parameters from `seed`; sizes are the config's vocoder_*, n_fft, win_length,
  // hop_length and n_mels. Throws UsageError if the mel spec is invalid. The parameters of the
  // discriminators, if any, are the last of the set, so that one optimiser trains both.
  Vocoder(const config::ModelConfig& config, std::uint64_t seed, bool with_discriminators = false);
  ~Vocoder();

  // log-mel [B, K, C] float32, K >= 2 -> waveform [B, S] float32, where frame k is centred on
  // sample k * hop_length. The blocks compute in `type`, float32 or bfloat16, the output layers in
  // float32.
  torch::Tensor forward(const torch::Tensor& mel, torch::ScalarType type) const;

  // Returns the context c: samples between frames k and k + 1 depend only on the frames k - c to
  // k + 1 + c.
  std::int64_t context_frames() const;

  ParameterSet& parameters();
  const ParameterSet& parameters() const;
  MelNormalisation& mel_normalisation();
  const WaveformDiscriminators* discriminators() const;  // null if there are none
  const config::ModelConfig& config() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace myxtts::model
