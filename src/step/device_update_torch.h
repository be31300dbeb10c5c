#pragma once

#include <torch/types.h>

#include "config/training_config.h"
#include "model/parameters_torch.h"
#include "step/flat_optimizer_torch.h"

namespace myxtts::step {

// Optimiser update without synchronisation: clipping, finite check, fused AdamW and EMA of a
// FlatOptimizer. Decisions that TrainStep and FlatOptimizer make with `if` are computed on the
// device, so that a CUDA graph can capture them. Works on any device; FlatOptimizer is the
// reference implementation.
class DeviceUpdate {
 public:
  // Both are [] float32 on the device.
  struct Result {
    torch::Tensor grad_norm;  // before clipping
    torch::Tensor rejected;   // 1 if the loss or the gradient is not finite, else 0
  };

  // Borrows parameters and optimiser, whose buffers are on one device.
  DeviceUpdate(model::ParameterSet& parameters,
               FlatOptimizer& optimizer,
               const config::TrainingConfig& training);

  // learning_rate [] float32, loss [] of any float type, on the device. A rejected update leaves
  // weights, moments, count and EMA unchanged. The gradient is always overwritten.
  Result run(const torch::Tensor& learning_rate, const torch::Tensor& loss);

 private:
  model::ParameterSet& parameters_;
  FlatOptimizer& optimizer_;
  config::TrainingConfig training_;
};

}  // namespace myxtts::step
