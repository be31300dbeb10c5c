#pragma once

#include <functional>
#include <span>

#include <torch/types.h>

#include "data/batch.h"
#include "step/flat_optimizer_torch.h"
#include "step/objective_torch.h"
#include "step/phase.h"
#include "step/step_report.h"

namespace myxtts::step {

// Training step: forward and backward of each micro-batch, then clipping, finite check and
// optimiser. Without a runner it is the eager step with heap memory, the reference implementation.
// A runner decides which memory is used and does not change results.
class TrainStep {
 public:
  // Borrows objective, optimiser and runner.
  TrainStep(const Objective& objective,
            FlatOptimizer& optimizer,
            torch::ScalarType type,
            PhaseRunner* runner = nullptr);

  // Runs accumulate(), then finish().
  StepReport run(data::Batch& batch, double learning_rate, double diagonal);

  // Runs forward and backward of all micro-batches. Sets the gradients and changes nothing else.
  StepReport accumulate(data::Batch& batch, double diagonal);

  // Clips the gradients, updates the weights and adds the gradient norm to the report. If a loss or
  // gradient is not finite, weights, moments and EMA weights stay unchanged.
  void finish(StepReport& report, double learning_rate);

  // Returns the losses of batches whose counts are those of the whole set. Computes no gradients.
  StepReport validate(std::span<data::Batch> batches) const;

 private:
  void in_phase(const Phase& phase, const std::function<void()>& body) const;
  void update_if_finite(StepReport& report, double learning_rate);

  const Objective& objective_;
  FlatOptimizer& optimizer_;
  torch::ScalarType type_;
  PhaseRunner* runner_;
};

}  // namespace myxtts::step
