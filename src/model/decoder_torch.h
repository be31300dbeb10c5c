// From symbols to mel frames. B rows, T symbols, K frames, C mel channels, F features of a frame,
// H, D, V the widths of text, decoder and voice. Mels are normalised.
//
// Note [Two decoders]: `regression` says the frames in one pass; where a text can be said in
// several ways its answer lies between them, which is heard as a blur. `flow` learns what becomes
// of noise on a straight way to the recording: it is shown a point of that way, (1 - t) noise + t
// recording, and says where the way ends. Speaking starts from noise and takes a few steps towards
// what it says, so that the frames are one of the ways, not the middle of them all. Both are the
// same layers and cost the same to train; a flow costs its number of steps to speak.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <torch/types.h>

#include "config/model_config.h"
#include "model/layers_torch.h"
#include "model/parameters_torch.h"

namespace xtts::model {

// What a symbol's frames are decoded from.
struct Symbols {
  torch::Tensor states;     // [B, T, H] of the type of the arithmetic
  torch::Tensor means;      // [B, T, C] float32
  torch::Tensor durations;  // [B, T] int64
};

// The same spread to frames.
struct Frames {
  torch::Tensor features;  // [B, K, F] of the type of the arithmetic
  torch::Tensor means;     // [B, K, C] float32
  torch::Tensor mask;      // [B, K, 1] of the type of the arithmetic
};

// Frames starts .. starts + K: starts [B] int64, mask [B, K, 1] float32.
Frames frames_of(const Symbols& symbols, const torch::Tensor& starts, const torch::Tensor& mask);

class Decoder {
 public:
  // Adds its parameters.
  Decoder(ParameterSet& parameters, const config::ModelConfig& config);

  bool is_flow() const { return num_steps_ > 0; }

  // What the frames are said to be, [B, K, C] float32, with the recorded ones at hand. A flow is
  // shown points of the way to them at random moments, out of the generator of the device; without
  // `training` the beginning of the way, without noise, so that nothing is left to chance. voice
  // [B, V].
  torch::Tensor predict(const Frames& frames,
                        const torch::Tensor& voice,
                        const torch::Tensor& recorded,
                        bool training) const;

  // The same without a recording. noise [B, K, C] float32, of deviation 1; only a flow looks at it.
  torch::Tensor speak(const Frames& frames,
                      const torch::Tensor& voice,
                      const torch::Tensor& noise) const;

 private:
  // One pass. Of a flow: given [B, K, C] float32 beside the means, time [B] float32 in 0..1.
  torch::Tensor pass(const Frames& frames,
                     const torch::Tensor& voice,
                     const torch::Tensor& given,
                     const torch::Tensor& time) const;

  int num_steps_;  // 0: regression
  Linear in_;
  LayerNorm norm_;
  Linear out_;
  std::optional<Linear> time_in_;
  std::optional<Linear> time_out_;
  std::vector<ConvNextBlock> blocks_;
};

}  // namespace xtts::model
