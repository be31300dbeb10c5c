#pragma once

#include <torch/types.h>

#include "config/training_config.h"
#include "model/parameters_torch.h"
#include "step/flat_optimizer_torch.h"

namespace xtts::step {

// Clipping, finite check, AdamW and average of a FlatOptimizer without the host looking at any
// number on the way: what TrainStep and FlatOptimizer decide with `if`, this computes. So it can be
// captured, and a replay needs nobody to wait. Works on any device; FlatOptimizer is its
// specification.
class DeviceUpdate {
 public:
  // What the update came to; both [] float32 on the device.
  struct Result {
    torch::Tensor grad_norm;  // before clipping
    torch::Tensor refused;    // 1 if the loss or the gradient is not finite, else 0
  };

  // Borrows both, whose buffers are on one device.
  DeviceUpdate(model::ParameterSet& parameters,
               FlatOptimizer& optimizer,
               const config::TrainingConfig& training);

  // learning_rate [] float32, loss [] of any float type, on the device. A refused update leaves
  // weights, moments, count and average as they were; the gradient is spent in any case.
  Result run(const torch::Tensor& learning_rate, const torch::Tensor& loss);

 private:
  model::ParameterSet& parameters_;
  FlatOptimizer& optimizer_;
  config::TrainingConfig training_;
};

}  // namespace xtts::step
