#pragma once

#include "config/training_config.h"
#include "model/acoustic_model_torch.h"
#include "step/loss_parts_torch.h"
#include "step/objective_torch.h"

namespace myxtts::step {

// Training objective of the acoustic model.
class AcousticObjective final : public Objective {
 public:
  // Borrows the model.
  AcousticObjective(model::AcousticModel& model, const config::TrainingConfig& training);

  model::ParameterSet& parameters() const override { return model_.parameters(); }
  std::vector<LossShare> losses(data::MicroBatch& batch,
                                const data::BatchCounts& counts,
                                const LossSettings& settings,
                                double& copy_s) const override;

 private:
  model::AcousticModel& model_;
  LossWeights weights_;
};

}  // namespace myxtts::step
