// The parts of the acoustic model's loss with names, weights and divisors, used by
// AcousticObjective and CapturedWork.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "config/training_config.h"
#include "data/batch.h"
#include "model/acoustic_model_torch.h"
#include "step/objective_torch.h"

namespace myxtts::step {

inline constexpr std::size_t kNumLossParts = 7;

struct LossPart {
  const char* name;                                 // in reports, logs and metrics
  torch::Tensor model::LossSums::*sum;              // undefined if the model does not compute it
  double (*weight)(const config::TrainingConfig&);  // in the loss
  double (*count)(const data::BatchCounts&);        // divisor of the sum, over the whole batch
  bool per_channel;                                 // the sum includes all mel channels
  bool is_adversarial = false;                      // see LossShare
};

// Returns the parts in the order of reports.
const std::array<LossPart, kNumLossParts>& loss_parts();

// Returns the number (at least 1) by which the sum of a part is divided to get the mean over the
// valid elements of the whole batch.
double divisor_of(const LossPart& part, const data::BatchCounts& counts, std::int64_t n_mels);

// Loss weights in the order of loss_parts().
using LossWeights = std::array<double, kNumLossParts>;
LossWeights loss_weights_of(const config::TrainingConfig& training);

// Returns the parts that the model computed for a micro-batch, in the order of loss_parts().
std::vector<LossShare> shares_of(const model::LossSums& sums,
                                 const data::BatchCounts& counts,
                                 std::int64_t n_mels,
                                 const LossWeights& weights);

}  // namespace myxtts::step
