// Samples the batches of an epoch: which utterances, in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/shape_plan.h"

namespace myxtts::data {

// The utterances of one batch: `grad_accum` micro-batches of one signature.
struct PlannedBatch {
  std::size_t signature = 0;                            // index into ShapePlan::signatures
  std::vector<std::vector<std::size_t>> micro_batches;  // [grad_accum][B] utterance indices

  bool operator==(const PlannedBatch&) const = default;
};

// Returns the batches of one epoch. The utterances of each signature are shuffled and cut into
// batches; the remainder moves to the next longer signature, that of the longest is dropped; the
// batches are shuffled. A pure function of its arguments. Utterances that do not fit the plan are
// filtered. `lengths[i]` are the lengths of utterance i.
std::vector<PlannedBatch> sample_epoch(std::uint64_t seed,
                                       std::int64_t epoch,
                                       const ShapePlan& plan,
                                       int grad_accum,
                                       std::span<const Lengths> lengths);

// Returns the number of batches of an epoch, which is equal for all epochs, without sampling one.
std::int64_t batches_per_epoch(const ShapePlan& plan,
                               int grad_accum,
                               std::span<const Lengths> lengths);

// Returns batches with every utterance that fits the plan once, in corpus order within each
// signature. The last batch of a signature may have fewer than B utterances; the collator adds
// empty rows.
std::vector<PlannedBatch> validation_order(const ShapePlan& plan, std::span<const Lengths> lengths);

}  // namespace myxtts::data
