#include "step/acoustic_objective_torch.h"

#include "step/copy_time.h"

namespace myxtts::step {
namespace {

model::Inputs copy_inputs(const torch::Device& device, data::MicroBatch& batch, double& copy_s) {
  const CopyTime time(copy_s);
  return model::moved_to(model::inputs_of(batch), device);
}

}  // namespace

AcousticObjective::AcousticObjective(model::AcousticModel& model,
                                     const config::TrainingConfig& training)
    : model_(model), weights_(loss_weights_of(training)) {}

std::vector<LossShare> AcousticObjective::losses(data::MicroBatch& batch,
                                                 const data::BatchCounts& counts,
                                                 const LossSettings& settings,
                                                 double& copy_s) const {
  const model::Inputs inputs = copy_inputs(model_.parameters().values().device(), batch, copy_s);
  const model::ForwardResult result = model_.forward(
      inputs,
      {.type = settings.type, .diagonal = settings.diagonal, .training = settings.training});
  return shares_of(result.sums, counts, batch.n_mels, weights_);
}

}  // namespace myxtts::step
