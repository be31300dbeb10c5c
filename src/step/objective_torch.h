#pragma once

#include <span>
#include <vector>

#include <torch/types.h>

#include "model/parameters_torch.h"
#include "pipeline/batch.h"

namespace xtts::step {

// A part of the loss of one micro-batch.
struct LossShare {
  const char* name;      // in reports, logs and metrics
  torch::Tensor sum;     // [] float32, over the micro-batch
  double divisor = 1.0;  // of the whole update: what makes the sums of its micro-batches a mean
  double weight = 1.0;   // in the loss
  // Of a model and its critic against each other (model/mel_discriminator_torch.h): learned from,
  // but not in the loss that is reported, because it falls for the one as it rises for the other.
  bool is_contest = false;
};

struct LossSettings {
  torch::ScalarType type = torch::kFloat32;  // of the arithmetic; float32 or bfloat16
  double diagonal = 0.0;                     // weight of the alignment's prior, where there is one
  bool training = true;                      // false: no dropout and no other chance
};

// What is trained: parameters, and what they lose on a micro-batch. Step, preparation and the loop
// of a run know no more of a model than this.
class Objective {
 public:
  Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;
  virtual ~Objective() = default;

  virtual model::ParameterSet& parameters() const = 0;

  // The parts of the loss, the same ones in the same order for every batch. Adds to `copy_s` what
  // bringing the batch to the parameters takes; on the CPU nothing is copied.
  virtual std::vector<LossShare> losses(pipeline::MicroBatch& batch,
                                        const pipeline::BatchCounts& counts,
                                        const LossSettings& settings,
                                        double& copy_s) const = 0;
};

// The weighted loss of one micro-batch, its share of the update's: [] float32. Of all parts, which
// is what is learned from, or without the contest, which is what is reported.
torch::Tensor loss_of(std::span<const LossShare> shares);
torch::Tensor reported_loss_of(std::span<const LossShare> shares);

}  // namespace xtts::step
