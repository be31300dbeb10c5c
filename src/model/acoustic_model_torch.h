// Text and a voice to mel frames. B rows, T symbols, M frames, C mel channels, R frames of the
// reference clip, K frames of the decoder's crop (M without crops), H, D, V the widths of text,
// decoder and voice. No shape in here depends on a length: two batches of one signature make the
// same tensors.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "config/model_config.h"
#include "model/aligner_torch.h"
#include "model/inputs_torch.h"
#include "model/mel_normalisation.h"
#include "model/parameters_torch.h"

namespace xtts::model {

struct ForwardSettings {
  torch::ScalarType type = torch::kFloat32;  // of the arithmetic; float32 or bfloat16
  DiagonalPrior diagonal = {};               // of the alignment
  bool training = true;                      // dropout and a flow's chance; false: none
};

struct InferenceSettings {
  double speed = 1.0;                        // divides the durations
  torch::ScalarType type = torch::kFloat32;  // of the arithmetic
  std::uint64_t seed = 1;                    // of a flow's noise
  torch::Tensor durations = {};              // [T] int64 in the place of its own, without limits
};

// Sums over valid elements, not yet divided by counts: [] float32 each.
struct LossSums {
  torch::Tensor mel;       // |mel - predicted| over K frames x C
  torch::Tensor prior;     // |mel - mean of the symbol| over M frames x C
  torch::Tensor duration;  // squared error of the logarithm of durations over T symbols
  torch::Tensor energy;    // squared error of energies over T symbols; undefined when off
  // Of model/mel_discriminator_torch.h; undefined without a critic, and without training.
  torch::Tensor telling, fooling, features;
};

struct ForwardResult {
  LossSums sums;
  torch::Tensor durations;  // [B, T] int64, found or given
  torch::Tensor mel;        // [B, K, C] float32 predicted, natural logarithm, without gradient
};

// Works on the device of its parameters. What it is given may be on any; what it returns is there.
class AcousticModel {
 public:
  // Makes parameters from `seed`. Throws UsageError if sizes do not fit together.
  AcousticModel(const config::ModelConfig& config, std::int64_t num_symbols, std::uint64_t seed);
  ~AcousticModel();

  // One pass with the recorded mel as teacher. `durations` [B, T] stand in for the search.
  ForwardResult forward(const Inputs& given,
                        const ForwardSettings& settings,
                        const std::optional<torch::Tensor>& durations = std::nullopt) const;

  // reference [B, R, C] natural logarithm -> voice vectors [B, V] float32.
  torch::Tensor voice_of(const torch::Tensor& reference, torch::ScalarType type) const;

  // One text spoken: text [T] int64, voice [V]. Durations have limits (spoken_durations() in
  // model/heads_torch.h). [M, C] float32 natural logarithm. Call without gradients.
  torch::Tensor speak(const torch::Tensor& text,
                      const torch::Tensor& voice,
                      const InferenceSettings& settings = {}) const;

  // Where the search for alignments starts: [S, C] normalised mel, see model/flat_start.h.
  void set_symbol_means(std::span<const float> means);

  ParameterSet& parameters();
  const ParameterSet& parameters() const;
  MelNormalisation& mel_scale();
  const config::ModelConfig& config() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xtts::model
