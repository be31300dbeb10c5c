#pragma once

#include <functional>
#include <span>

#include <torch/types.h>

#include "pipeline/batch.h"
#include "step/flat_optimizer_torch.h"
#include "step/objective_torch.h"
#include "step/phase.h"
#include "step/step_report.h"

namespace xtts::step {

// One update: forward and backward of each micro-batch, then clipping, finite check and optimiser.
// Without a runner its operators run as they come, on memory of the heap: the eager step, which is
// the specification. A runner decides about memory, never about numbers.
class TrainStep {
 public:
  // Borrows objective, optimiser and runner.
  TrainStep(const Objective& objective,
            FlatOptimizer& optimizer,
            torch::ScalarType type,
            PhaseRunner* runner = nullptr);

  // One update: accumulate(), then finish().
  StepReport run(pipeline::Batch& update, double learning_rate, double diagonal);

  // Forward and backward of all micro-batches: the gradients are theirs, nothing else changes.
  StepReport accumulate(pipeline::Batch& update, double diagonal);

  // Clips and updates by the gradients, and adds their norm to the report. A loss or gradient that
  // is not finite leaves weights, moments and average as they were.
  void finish(StepReport& report, double learning_rate);

  // The losses of updates whose counts are those of the whole set; no gradient, nothing changes.
  StepReport validate(std::span<pipeline::Batch> updates) const;

 private:
  void in_phase(const Phase& phase, const std::function<void()>& body) const;
  void update_if_finite(StepReport& report, double learning_rate);

  const Objective& objective_;
  FlatOptimizer& optimizer_;
  torch::ScalarType type_;
  PhaseRunner* runner_;
};

}  // namespace xtts::step
