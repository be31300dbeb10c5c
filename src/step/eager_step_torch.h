#pragma once

#include <span>

#include <torch/types.h>

#include "config/training_config.h"
#include "model/acoustic_model_torch.h"
#include "pipeline/batch.h"
#include "step/flat_optimizer_torch.h"
#include "step/step_report.h"

namespace xtts::step {

// How the losses of an update are weighed; each is a mean over the whole update's valid elements.
struct LossWeights {
  double mel = 1.0;
  double prior = 1.0;
  double duration = 0.1;
  double energy = 0.1;
};

LossWeights loss_weights_of(const config::TrainingConfig& training);

// The plain step: forward and backward of each micro-batch, operator by operator, then clipping,
// finite check and optimiser. The specification of every faster one.
class EagerStep {
 public:
  // Borrows model and optimiser.
  EagerStep(model::AcousticModel& model,
            FlatOptimizer& optimizer,
            const config::TrainingConfig& training,
            torch::ScalarType type);

  // One update. A loss or gradient that is not finite leaves weights, moments and average as they
  // were.
  StepReport run(pipeline::Update& update, double learning_rate, double diagonal);

  // The losses of updates whose counts are those of the whole set; no gradient, nothing changes.
  StepReport validate(std::span<pipeline::Update> updates) const;

 private:
  model::AcousticModel& model_;
  FlatOptimizer& optimizer_;
  LossWeights weights_;
  torch::ScalarType type_;
};

// The weighted loss of one micro-batch, its share of the update's: [] float32.
torch::Tensor loss_of(const model::LossSums& sums,
                      const pipeline::UpdateCounts& counts,
                      std::int64_t n_mels,
                      const LossWeights& weights);

}  // namespace xtts::step
