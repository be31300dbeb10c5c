#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/shape_plan.h"

namespace xtts::pipeline {

// One update: `grad_accum` micro-batches of one signature, as indices of utterances.
struct PlannedBatch {
  std::size_t signature = 0;                            // index in the plan
  std::vector<std::vector<std::size_t>> micro_batches;  // each of B utterances

  bool operator==(const PlannedBatch&) const = default;
};

// The updates of one epoch: shuffled, cut into updates per signature, each signature's remainder
// moved up into the next longer one, what is left of the longest dropped, updates shuffled. A pure
// function of its arguments, whatever the number of workers. Utterances that the plan does not
// hold are left out. `lengths[i]` are those of utterance i.
std::vector<PlannedBatch> sample_epoch(std::uint64_t seed,
                                       std::int64_t epoch,
                                       const ShapePlan& plan,
                                       int grad_accum,
                                       std::span<const Lengths> lengths);

// How many updates that are: the same in every epoch, known without ordering one.
std::int64_t batches_per_epoch(const ShapePlan& plan,
                               int grad_accum,
                               std::span<const Lengths> lengths);

// All utterances once, in their order within each signature, nothing dropped: the last batch of a
// signature may have fewer than B, which the loader fills with empty rows of weight 0.
std::vector<PlannedBatch> validation_order(const ShapePlan& plan, std::span<const Lengths> lengths);

}  // namespace xtts::pipeline
