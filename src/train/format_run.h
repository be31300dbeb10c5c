// Formats the settings and the cost of a run before its first step.
#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"
#include "data/shape_plan.h"
#include "train/corpora.h"
#include "train/format_shapes.h"
#include "train/memory_budget.h"

namespace myxtts::train {

// The properties of a run that are printed before its first step.
struct RunDescription {
  const config::Config& config;
  const Corpora& corpora;
  const data::ShapePlan& plan;
  std::int64_t steps_per_epoch = 0;
  std::int64_t num_parameters = 0;
  std::int64_t reference_frames = 0;
  int threads = 0;
  MemoryNeed memory = {};
};

// Returns the multiply-adds of a forward and backward pass of one micro-batch, from the layer
// sizes.
double multiply_adds_of(const config::ModelConfig& model,
                        const data::Signature& signature,
                        std::int64_t reference_frames);

// Returns the text that is printed before the first step: corpus, plan, model, cost, schedule.
std::string format_run(const RunDescription& run);

// Returns the multiply-adds of a step of the most expensive signature.
double max_multiply_adds(const RunDescription& run);

// The result of `train --dry-run`.
struct RunPreview {
  std::string text;  // format_run()
  std::int64_t num_parameters = 0;
  std::int64_t steps_per_epoch = 0;
  double multiply_adds = 0.0;  // of the most expensive step
  MemoryNeed memory = {};
  std::vector<PlannedShape> shapes;
  double padding = 0.0;  // share of the mel frames of an epoch
};

}  // namespace myxtts::train
