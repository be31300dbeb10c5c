#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/batch.h"
#include "data/collator.h"
#include "data/features.h"
#include "data/shape_plan.h"

namespace myxtts::diagnose {

// Checks the shapes of an epoch's micro-batches against the shape plan, before training.
struct BatchShapes {
  std::int64_t num_sampled = 0;  // all micro-batches of the first epoch
  // Their shapes with the number of micro-batches each, the most frequent first.
  std::vector<std::pair<data::Signature, std::int64_t>> sampled = {};
  std::vector<data::Signature> loaded = {};  // of the micro-batches that were loaded
  std::int64_t n_mels = 0;                   // mel channels
  std::vector<std::string> unplanned = {};   // a sentence per deviation from the plan

  bool operator==(const BatchShapes&) const = default;
};

// Returns B, T and M from the sizes of the arrays, not from the declared signature.
data::Signature measured_shape(const data::MicroBatch& batch);

// Samples an epoch and loads its first `num_batches` batches, or all if there are fewer. Throws
// UserError if the utterances do not fill one batch.
BatchShapes inspect_batches(const data::FeatureSet& features,
                            const data::ShapePlan& plan,
                            const data::LoaderSettings& settings,
                            std::int64_t num_batches);

}  // namespace myxtts::diagnose
