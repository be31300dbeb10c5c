#pragma once

#include "model/layers_torch.h"

namespace xtts::model {

inline constexpr double kMostFramesPerSymbol = 200.0;  // 2.3 s; what a wild prediction is cut to

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
