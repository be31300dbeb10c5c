#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"
#include "pipeline/shape_plan.h"
#include "train/corpora.h"

namespace xtts::train {

struct RunDescription {
  const config::Config& config;
  const Corpora& corpora;
  const pipeline::ShapePlan& plan;
  std::int64_t updates_per_epoch = 0;
  std::int64_t num_parameters = 0;
  std::int64_t reference_frames = 0;
  int threads = 0;
};

// What a step costs, worked out from the sizes of the model and of the largest signature.
struct StepCost {
  double multiply_adds = 0.0;  // forward and backward of one update of the largest signature
  double memory_bytes = 0.0;   // weights, gradients, optimiser, average and activations
};

StepCost step_cost(const config::ModelConfig& model,
                   std::int64_t num_parameters,
                   const pipeline::Signature& signature,
                   std::int64_t reference_frames);

// The block that is printed before the first step: corpus, plan, model, cost, schedule.
std::string describe(const RunDescription& run);

// The cost of an update of one signature, and the largest of each kind: with crops the longest
// signature is not the one that costs the most.
StepCost cost_of(const RunDescription& run, const pipeline::Signature& signature);
StepCost largest_cost(const RunDescription& run);

// What `train --dry-run` answers.
struct RunPreview {
  std::string words;  // describe()
  std::int64_t num_parameters = 0;
  std::int64_t updates_per_epoch = 0;
  StepCost cost;
};

}  // namespace xtts::train
