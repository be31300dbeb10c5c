#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <torch/types.h>

#include "config/training_config.h"
#include "model/parameters_torch.h"

namespace myxtts::step {

// Fused AdamW (or Adam) and EMA weights, each one operation over the flat parameter buffers.
class FlatOptimizer {
 public:
  // Borrows the parameters, which must be flattened and outlive this object.
  FlatOptimizer(model::ParameterSet& parameters, const config::TrainingConfig& training);

  // Returns the norm of the whole gradient.
  double gradient_norm() const;

  // Scales the gradient to the clip norm if `norm` is larger.
  void clip(double norm);

  // Updates weights and EMA.
  void update(double learning_rate);

  // Restarts the EMA from the current weights.
  void restart_ema();

  void zero_gradients();

  std::int64_t num_updates() const;

  // State that a checkpoint stores: first and second moments, number of updates. [N], [N], []
  torch::Tensor first_moment, second_moment, count;
  torch::Tensor ema;  // [N]; undefined without EMA

 private:
  model::ParameterSet& parameters_;
  config::TrainingConfig training_;
};

// Replaces the trained weights by the EMA weights during its lifetime, and restores them
// bit-identically. Does nothing without EMA.
class EmaWeights {
 public:
  EmaWeights(model::ParameterSet& parameters, const FlatOptimizer& optimizer);
  ~EmaWeights();
  EmaWeights(const EmaWeights&) = delete;
  EmaWeights& operator=(const EmaWeights&) = delete;

 private:
  model::ParameterSet& parameters_;
  torch::Tensor trained_;  // [N]; undefined without EMA
};

}  // namespace myxtts::step
