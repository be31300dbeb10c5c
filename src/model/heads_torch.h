#pragma once

#include "model/layers_torch.h"

namespace xtts::model {

// What wild predictions are cut to when a text is spoken at speed 1: 2.3 s for one symbol, and for
// all of a text 0.23 s per symbol (four times what speech has) beside 1.2 s for very short ones.
inline constexpr double kMostFramesPerSymbol = 200.0;
inline constexpr double kMostMeanFramesPerSymbol = 20.0;
inline constexpr double kMostFramesBeside = 100.0;

// Frames that T symbols may have together; more only where each symbol has a single one.
double most_frames(std::int64_t num_symbols, double speed);

// How long each symbol is spoken, from its predicted logarithm [B, T]: divided by the speed, at
// least one frame, each and all together within the limits above. [B, T] int64.
torch::Tensor spoken_durations(const torch::Tensor& log_durations, double speed);

// One number per symbol, from its state and its neighbours'.
class SymbolHead {
 public:
  SymbolHead(ParameterSet& parameters, const std::string& name, std::int64_t width);

  // states [B, T, H] of any type, mask [B, T, 1] float32 -> [B, T] float32
  torch::Tensor operator()(const torch::Tensor& states, const torch::Tensor& mask) const;

 private:
  Convolution3 first_;
  LayerNorm first_norm_;
  Convolution3 second_;
  LayerNorm second_norm_;
  Linear out_;
};

// How loud each symbol is: predicted, and given to the decoder.
class EnergyHead {
 public:
  EnergyHead(ParameterSet& parameters, std::int64_t width);

  torch::Tensor predict(const torch::Tensor& states, const torch::Tensor& mask) const;  // [B, T]
  // energies [B, T] float32 -> [B, T, H] of `type`, to be added to the states
  torch::Tensor embed(const torch::Tensor& energies, torch::ScalarType type) const;

 private:
  SymbolHead head_;
  Linear embedding_;
};

}  // namespace xtts::model
