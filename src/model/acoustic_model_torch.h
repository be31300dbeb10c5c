// Acoustic model: predicts mel frames from text and a speaker embedding.
//
// B rows, T symbols, M frames, C mel channels, S symbols of the alphabet, R frames of the reference
// clip, K frames of the decoder crop (M without crops); H, D, V are the widths of text encoder,
// decoder and speaker embedding. Shapes depend on the input signature only, never on lengths.
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

namespace myxtts::model {

struct ForwardSettings {
  torch::ScalarType type = torch::kFloat32;  // compute type: float32 or bfloat16
  DiagonalPrior diagonal = {};               // prior of the alignment
  bool training = true;                      // enables dropout and random flow times and noise
};

struct InferenceSettings {
  double speed = 1.0;                        // divides the durations
  torch::ScalarType type = torch::kFloat32;  // compute type
  std::uint64_t seed = 1;                    // seed of the flow decoder's noise
  torch::Tensor durations = {};              // [T] int64; replaces the predicted ones, not limited
};

// Loss sums over valid elements, not yet divided by counts: [] float32 each.
struct LossSums {
  torch::Tensor mel;       // |mel - predicted| over K frames x C
  torch::Tensor prior;     // |mel - mean of the symbol| over M frames x C
  torch::Tensor duration;  // squared error of log durations over T symbols
  torch::Tensor energy;    // squared error of energies over T symbols; undefined if disabled
  // See AdversarialSums. Undefined without a mel discriminator and outside of training.
  torch::Tensor discriminator, generator, feature_matching;
};

struct ForwardResult {
  LossSums sums;
  torch::Tensor durations;  // [B, T] int64, aligned or given
  torch::Tensor mel;        // [B, K, C] float32 predicted log-mel (natural log), no gradient
};

// A synthesised text.
struct InferenceResult {
  torch::Tensor mel;        // [M, C] float32 log-mel (natural log)
  torch::Tensor durations;  // [T] int64, frames of each symbol; their sum is M
};

// The acoustic model. It computes on the device of its parameters: inputs may be on any device,
// results are on that one.
class AcousticModel {
 public:
  // Initialises the parameters from `seed`. Throws UsageError if sizes are inconsistent.
  AcousticModel(const config::ModelConfig& config, std::int64_t num_symbols, std::uint64_t seed);
  ~AcousticModel();

  // Training pass with the recorded mel as target. `durations` [B, T] replace the alignment search.
  ForwardResult forward(const Inputs& given,
                        const ForwardSettings& settings,
                        const std::optional<torch::Tensor>& durations = std::nullopt) const;

  // Returns the speaker embeddings [B, V] float32 of reference log-mels [B, R, C].
  torch::Tensor embed_speaker(const torch::Tensor& reference, torch::ScalarType type) const;

  // Synthesises one text. text [T] int64, speaker [V]. Durations are limited by
  // inference_durations(). Call it without gradients.
  InferenceResult infer(const torch::Tensor& text,
                        const torch::Tensor& speaker,
                        const InferenceSettings& settings = {}) const;

  // Sets the mean normalised frames [S, C] with which the alignment starts (flat_start()).
  void set_symbol_means(std::span<const float> means);

  ParameterSet& parameters();
  const ParameterSet& parameters() const;
  MelNormalisation& mel_normalisation();
  const config::ModelConfig& config() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace myxtts::model
