#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/shape_plan.h"

namespace xtts::pipeline {

// One update: `grad_accum` micro-batches of one signature, as indices of utterances.
struct PlannedUpdate {
  std::size_t signature = 0;                            // index in the plan
  std::vector<std::vector<std::size_t>> micro_batches;  // each of B utterances

  bool operator==(const PlannedUpdate&) const = default;
};

// The updates of one epoch: shuffled, cut into updates per signature, each signature's remainder
// moved up into the next longer one, what is left of the longest dropped, updates shuffled. A pure
// function of its arguments, whatever the number of workers. Utterances that the plan does not
// hold are left out. `lengths[i]` are those of utterance i.
std::vector<PlannedUpdate> order_epoch(std::uint64_t seed,
                                       std::int64_t epoch,
                                       const ShapePlan& plan,
                                       int grad_accum,
                                       std::span<const Lengths> lengths);

// How many updates that are: the same in every epoch, known without ordering one.
std::int64_t updates_of_epoch(const ShapePlan& plan,
                              int grad_accum,
                              std::span<const Lengths> lengths);

// All utterances once, in their order within each signature, nothing dropped: the last batch of a
// signature may have fewer than B, which the loader fills with empty rows of weight 0.
std::vector<PlannedUpdate> order_validation(const ShapePlan& plan,
                                            std::span<const Lengths> lengths);

}  // namespace xtts::pipeline
