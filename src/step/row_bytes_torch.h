#pragma once

#include "data/signature.h"
#include "step/prepare_torch.h"
#include "step/row_bytes.h"

namespace myxtts::step {

// Measures the memory of a step with a few rows of this signature, so that it works before there is
// memory for its whole batch size. Changes only gradients.
RowBytes measure_row_bytes(const Objective& objective,
                           FlatOptimizer& optimizer,
                           torch::ScalarType type,
                           const data::Signature& signature,
                           const BatchProperties& properties);

}  // namespace myxtts::step
