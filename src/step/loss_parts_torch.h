// The parts of the acoustic model's loss, said once: AcousticObjective and CapturedWork walk the
// same list.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "config/training_config.h"
#include "model/acoustic_model_torch.h"
#include "pipeline/batch.h"
#include "step/objective_torch.h"

namespace xtts::step {

inline constexpr std::size_t kNumLossParts = 7;

struct LossPart {
  const char* name;                                 // in reports, logs and metrics
  torch::Tensor model::LossSums::*sum;              // undefined where the model does not make it
  double (*weight)(const config::TrainingConfig&);  // in the loss
  double (*count)(const pipeline::BatchCounts&);    // of the update, by which the sum is divided
  bool per_channel;                                 // the sum runs over mel channels as well
  bool is_contest = false;                          // as of LossShare
};

// In the order in which they are reported.
const std::array<LossPart, kNumLossParts>& loss_parts();

// What the sum of a part is divided by to be a mean over the whole update's valid elements; at
// least 1.
double divisor_of(const LossPart& part, const pipeline::BatchCounts& counts, std::int64_t n_mels);

// In the order of loss_parts().
using LossWeights = std::array<double, kNumLossParts>;
LossWeights loss_weights_of(const config::TrainingConfig& training);

// The parts that the model has made of a micro-batch, in this order.
std::vector<LossShare> shares_of(const model::LossSums& sums,
                                 const pipeline::BatchCounts& counts,
                                 std::int64_t n_mels,
                                 const LossWeights& weights);

}  // namespace xtts::step
