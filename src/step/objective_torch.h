// Interface of training objectives, and the loss as a weighted sum of parts.
#pragma once

#include <span>
#include <vector>

#include <torch/types.h>

#include "data/batch.h"
#include "model/parameters_torch.h"

namespace myxtts::step {

// One part of the loss of a micro-batch.
struct LossShare {
  const char* name;      // in reports, logs and metrics
  torch::Tensor sum;     // [] float32, over the micro-batch
  double divisor = 1.0;  // of the whole batch: the sums of its micro-batches become a mean
  double weight = 1.0;   // in the loss
  // Adversarial losses (Note [Mel discriminator]) are optimised but not part of the reported loss,
  // because one side's loss rises while the other's falls.
  bool is_adversarial = false;
};

struct LossSettings {
  torch::ScalarType type = torch::kFloat32;  // compute type: float32 or bfloat16
  double diagonal = 0.0;                     // weight of the alignment's diagonal prior, if any
  bool training = true;                      // false: no dropout or other randomness
};

// A training objective: parameters and their loss on a micro-batch. The training step, its
// preparation and the training loop see a model only through this interface.
class Objective {
 public:
  Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;
  virtual ~Objective() = default;

  virtual model::ParameterSet& parameters() const = 0;

  // Returns the parts of the loss, the same ones in the same order for every micro-batch. Adds to
  // `copy_s` the time of copying it to the device of the parameters; on the CPU nothing is copied.
  virtual std::vector<LossShare> losses(data::MicroBatch& batch,
                                        const data::BatchCounts& counts,
                                        const LossSettings& settings,
                                        double& copy_s) const = 0;
};

// Both return the weighted loss of one micro-batch, its share of the batch's loss: [] float32.
// loss_of() sums all parts for the optimiser, reported_loss_of() leaves out the adversarial parts.
torch::Tensor loss_of(std::span<const LossShare> shares);
torch::Tensor reported_loss_of(std::span<const LossShare> shares);

}  // namespace myxtts::step
