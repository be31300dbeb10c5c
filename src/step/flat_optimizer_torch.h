#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <torch/types.h>

#include "config/training_config.h"
#include "model/parameters_torch.h"

namespace xtts::step {

// AdamW (or Adam) and the averaged weights, each one operation over the flat buffers.
class FlatOptimizer {
 public:
  // Borrows the parameters, which must be flattened and outlive it.
  FlatOptimizer(model::ParameterSet& parameters, const config::TrainingConfig& training);

  // The length of the whole gradient, before clipping.
  double gradient_norm() const;

  // Scales the gradient down to the clip norm if it is longer.
  void clip(double norm);

  // One update of weights and average.
  void update(double learning_rate);

  // The average begins with the weights as they are now.
  void restart_average();

  void zero_gradients();

  std::int64_t num_updates() const;

  // What a save must hold: first and second moments and the number of updates. [N], [N], []
  torch::Tensor first_moment, second_moment, count;
  torch::Tensor average;  // [N]; undefined without an average

 private:
  model::ParameterSet& parameters_;
  config::TrainingConfig training_;
};

// Puts the averaged weights in the place of the trained ones while it lives; the trained ones come
// back bit for bit. Does nothing without an average.
class EmaWeights {
 public:
  EmaWeights(model::ParameterSet& parameters, const FlatOptimizer& optimizer);
  ~EmaWeights();
  EmaWeights(const EmaWeights&) = delete;
  EmaWeights& operator=(const EmaWeights&) = delete;

 private:
  model::ParameterSet& parameters_;
  torch::Tensor trained_;  // [N]; undefined without an average
};

}  // namespace xtts::step
