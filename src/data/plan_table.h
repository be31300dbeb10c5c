// Statistics of each signature of a shape plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/shape_plan.h"

namespace myxtts::data {

// Statistics of one signature.
struct PlanRow {
  Signature signature;       // with dynamic shapes: the maximum
  std::int64_t batches = 0;  // per epoch
  double share = 0.0;        // of all batches of an epoch, 0..1
  double padding = 0.0;      // of the mel frames of its utterances, 0..1
};

// Returns one row per signature. Counts the batches of sample_epoch() without sampling an epoch.
std::vector<PlanRow> plan_table(const ShapePlan& plan,
                                int grad_accum,
                                std::span<const Lengths> lengths);

}  // namespace myxtts::data
