#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/shape_plan.h"

namespace xtts::pipeline {

// What one signature of a plan takes in.
struct PlanRow {
  Signature signature;       // with dynamic shapes: the largest that a batch may have
  std::int64_t updates = 0;  // of it in every epoch
  double share = 0.0;        // of all updates of an epoch, 0..1
  double padding = 0.0;      // of the mel frames of its utterances, 0..1
};

// A row per signature. The updates are those of sample_epoch(), counted without making an order.
std::vector<PlanRow> table_of(const ShapePlan& plan,
                              int grad_accum,
                              std::span<const Lengths> lengths);

}  // namespace xtts::pipeline
