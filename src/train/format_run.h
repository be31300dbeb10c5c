#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"
#include "pipeline/shape_plan.h"
#include "train/corpora.h"
#include "train/format_shapes.h"
#include "train/memory_budget.h"

namespace xtts::train {

struct RunDescription {
  const config::Config& config;
  const Corpora& corpora;
  const pipeline::ShapePlan& plan;
  std::int64_t updates_per_epoch = 0;
  std::int64_t num_parameters = 0;
  std::int64_t reference_frames = 0;
  int threads = 0;
  MemoryNeed memory = {};
};

// Multiply-adds of forward and backward of a micro-batch, worked out from the sizes of the model.
double multiply_adds_of(const config::ModelConfig& model,
                        const pipeline::Signature& signature,
                        std::int64_t reference_frames);

// The block that is printed before the first step: corpus, plan, model, cost, schedule.
std::string describe(const RunDescription& run);

// Of an update of the signature that has most.
double most_multiply_adds(const RunDescription& run);

// What `train --dry-run` answers.
struct RunPreview {
  std::string words;  // describe()
  std::int64_t num_parameters = 0;
  std::int64_t updates_per_epoch = 0;
  double multiply_adds = 0.0;  // of an update, at most
  MemoryNeed memory = {};
  std::vector<PlannedShape> shapes;
  double padding = 0.0;  // of the mel frames of an epoch
};

}  // namespace xtts::train
