#pragma once

#include "config/config.h"
#include "pipeline/shape_plan.h"
#include "step/prepare_torch.h"
#include "train/corpora.h"
#include "train/memory_budget.h"
#include "train/run_parts_torch.h"

namespace xtts::train {

// What a run over this plan needs, measured on a few rows of each signature, in a process that
// already holds features, weights and optimiser. Changes gradients alone. On a GPU the steps are
// not measured.
MemoryNeed measure_memory(RunParts& parts,
                          const config::TrainingConfig& training,
                          const pipeline::ShapePlan& plan,
                          const step::BatchFacts& facts);

// What the budget of the configuration leaves beside the need; below 0: nothing.
double bytes_left(const MemoryNeed& need, const config::TrainingConfig& training);

// Throws UsageError with what would fit (measured too, so it takes some seconds) if the need is
// above the budget of the configuration.
void require_memory(const MemoryNeed& need,
                    RunParts& parts,
                    const config::Config& config,
                    const Corpora& corpora,
                    const pipeline::ShapePlan& plan,
                    const step::BatchFacts& facts);

}  // namespace xtts::train
