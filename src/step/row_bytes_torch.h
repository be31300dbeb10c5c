#pragma once

#include "pipeline/signature.h"
#include "step/prepare_torch.h"
#include "step/row_bytes.h"

namespace xtts::step {

// Measured on a few rows of this signature, whatever its batch is, so that it can be asked before
// there is memory for more. Changes gradients alone.
RowBytes measure_row_bytes(const Objective& objective,
                           FlatOptimizer& optimizer,
                           torch::ScalarType type,
                           const pipeline::Signature& signature,
                           const BatchFacts& facts);

}  // namespace xtts::step
