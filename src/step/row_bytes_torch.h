#pragma once

#include "pipeline/signature.h"
#include "step/prepare_torch.h"
#include "step/row_bytes.h"

namespace xtts::step {

// Measured on a few rows of these lengths, so that it can be asked before there is memory
// for more. Changes gradients alone.
RowBytes measure_row_bytes(model::AcousticModel& model,
                           FlatOptimizer& optimizer,
                           const config::TrainingConfig& training,
                           torch::ScalarType type,
                           const pipeline::Lengths& lengths,
                           const BatchFacts& facts);

}  // namespace xtts::step
