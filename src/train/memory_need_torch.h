#pragma once

#include "config/config.h"
#include "data/shape_plan.h"
#include "step/prepare_torch.h"
#include "train/corpora.h"
#include "train/memory_budget.h"
#include "train/run_parts_torch.h"

namespace myxtts::train {

// Measures the memory of a run over this plan, with a few rows of each signature, in a process that
// already holds features, weights and optimiser. Changes only gradients. On a GPU the steps are not
// measured.
MemoryNeed measure_memory(RunParts& parts,
                          const config::TrainingConfig& training,
                          const data::ShapePlan& plan,
                          const step::BatchProperties& properties);

// Returns the bytes of the configured budget that the run does not need; negative if it exceeds it.
double bytes_left(const MemoryNeed& need, const config::TrainingConfig& training);

// Throws UsageError with settings that fit if the need exceeds the configured budget. These
// settings are measured, too, which takes some seconds.
void require_memory(const MemoryNeed& need,
                    RunParts& parts,
                    const config::Config& config,
                    const Corpora& corpora,
                    const data::ShapePlan& plan,
                    const step::BatchProperties& properties);

}  // namespace myxtts::train
