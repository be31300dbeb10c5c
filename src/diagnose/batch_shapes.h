#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/batch.h"
#include "pipeline/collator.h"
#include "pipeline/features.h"
#include "pipeline/shape_plan.h"

namespace xtts::diagnose {

// The shapes that the batches of a training have, looked at before it begins.
struct BatchShapes {
  std::int64_t num_ordered = 0;  // batches of the first epoch, all of them
  // Their shapes and how many batches have each, the most frequent first.
  std::vector<std::pair<pipeline::Signature, std::int64_t>> ordered = {};
  std::vector<pipeline::Signature> made = {};  // of the batches that the loader really made
  std::int64_t n_mels = 0;                     // channels of their mels, the third size
  std::vector<std::string> odd = {};           // batches that are not as planned, a sentence each

  bool operator==(const BatchShapes&) const = default;
};

// B, T and M by the memory that a batch has, not by what it says of itself.
pipeline::Signature measured_shape(const pipeline::MicroBatch& batch);

// Orders an epoch and makes the batches of its first `num_updates` updates, or of all if there are
// fewer. Throws UserError if the utterances do not fill one update.
BatchShapes look_at_batches(const pipeline::FeatureSet& features,
                            const pipeline::ShapePlan& plan,
                            const pipeline::LoaderSettings& settings,
                            std::int64_t num_updates);

}  // namespace xtts::diagnose
