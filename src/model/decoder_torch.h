// Mel decoder: predicts mel frames from symbols. B rows, T symbols, K frames, C mel channels, F
// features of a frame; H, D, V are the widths of text encoder, decoder and speaker embedding. Mels
// are normalised.
//
// Note [Two decoders]: `regression` predicts the frames in one pass. Where a text can be spoken in
// several ways, it predicts an average, which sounds blurred. `flow` is trained by flow matching:
// it sees a point (1 - t) noise + t recording of the straight path from noise to the recording and
// predicts its end. Inference starts from noise and takes a few Euler steps, so that the result is
// one sample instead of the average. Both use the same layers and cost the same to train; inference
// with a flow costs one pass per step.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <torch/types.h>

#include "config/model_config.h"
#include "model/layers_torch.h"
#include "model/parameters_torch.h"

namespace myxtts::model {

// Decoder inputs per symbol.
struct Symbols {
  torch::Tensor states;     // [B, T, H] in the compute type
  torch::Tensor means;      // [B, T, C] float32
  torch::Tensor durations;  // [B, T] int64
};

// Decoder inputs per frame, after length regulation.
struct Frames {
  torch::Tensor features;  // [B, K, F] in the compute type
  torch::Tensor means;     // [B, K, C] float32
  torch::Tensor mask;      // [B, K, 1] in the compute type
};

// Expands symbols to the frames starts .. starts + K. starts [B] int64, mask [B, K, 1] float32.
Frames frames_of(const Symbols& symbols, const torch::Tensor& starts, const torch::Tensor& mask);

class Decoder {
 public:
  // Adds its parameters.
  Decoder(ParameterSet& parameters, const config::ModelConfig& config);

  bool is_flow() const { return num_steps_ > 0; }

  // Predicts frames [B, K, C] float32 for training and validation. A flow sees random points of the
  // path to `recorded`, drawn from the generator of the device; without `training` it sees the
  // start of the path without noise, so that the result is deterministic. speaker [B, V].
  torch::Tensor predict(const Frames& frames,
                        const torch::Tensor& speaker,
                        const torch::Tensor& recorded,
                        bool training) const;

  // Predicts frames [B, K, C] without a recording. noise [B, K, C] float32 with std 1; only a flow
  // reads it.
  torch::Tensor infer(const Frames& frames,
                      const torch::Tensor& speaker,
                      const torch::Tensor& noise) const;

 private:
  // Runs the network once. Only a flow reads point [B, K, C] float32, the offset from the means,
  // and time [B] float32 in 0..1.
  torch::Tensor pass(const Frames& frames,
                     const torch::Tensor& speaker,
                     const torch::Tensor& point,
                     const torch::Tensor& time) const;

  int num_steps_;  // 0: regression
  Linear in_;
  LayerNorm norm_;
  Linear out_;
  std::optional<Linear> time_in_;
  std::optional<Linear> time_out_;
  std::vector<ConvNextBlock> blocks_;
};

}  // namespace myxtts::model
