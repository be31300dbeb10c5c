// Predictors of one value per symbol: duration and energy.
#pragma once

#include "model/layers_torch.h"

namespace myxtts::model {

// Limits of predicted durations at speed 1: 2.3 s for one symbol, and for a text 0.23 s per symbol
// (four times the mean of speech) plus 1.2 s.
inline constexpr double kMaxFramesPerSymbol = 200.0;
inline constexpr double kMaxMeanFramesPerSymbol = 20.0;
inline constexpr double kExtraFrames = 100.0;

// Returns the limit of the total duration in frames. Only one frame per symbol may exceed it.
double max_frames(std::int64_t num_symbols, double speed);

// Converts predicted log durations [B, T] to frames [B, T] int64: divided by the speed, at least
// one frame per symbol, within the limits above.
torch::Tensor inference_durations(const torch::Tensor& log_durations, double speed);

// Predicts one number per symbol from its state and the neighbouring states.
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

// Energy predictor: predicts the energy of each symbol and embeds it for the decoder.
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

}  // namespace myxtts::model
