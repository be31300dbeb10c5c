#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/signature.h"

namespace xtts::pipeline {

inline constexpr int kMostSignatures = 8;  // of an automatic plan

// The three settings of a run's shapes (docs/en/shapes.md).
enum class ShapeMode {
  kFixed,    // one signature, as it was asked for
  kBuckets,  // several, made from the lengths
  kDynamic,  // none: every batch is as long as its longest utterance
};

std::string_view name_of(ShapeMode mode);  // "fixed", "buckets", "dynamic"

struct PlanSettings {
  int batch_size = 16;                // utterances of one update
  int grad_accum = 1;                 // micro-batches of one update; divides batch_size
  std::optional<int> max_signatures;  // unset: as many as pay, at most kMostSignatures
  Lengths holds_too = {};  // the longest signature holds this as well, whoever is as long as that
};

// The finite list of signatures of a run, made before step 1 and stored with it.
struct ShapePlan {
  // Ascending in mel; a later one holds whatever an earlier does. With dynamic shapes the one here
  // is the largest that a batch may have.
  std::vector<Signature> signatures;
  std::vector<std::string> notes;  // what was decided, one line each, for people
  ShapeMode mode = ShapeMode::kBuckets;
  Lengths limits = {kNoLimit, kNoLimit};  // longer utterances have no place

  bool is_dynamic() const { return mode == ShapeMode::kDynamic; }

  // All shapes that batches will have, before step 1; none with dynamic shapes.
  std::vector<Signature> known_shapes() const;

  // The first signature that holds the utterance; absent: it is longer than plan or limits.
  std::optional<std::size_t> place(const Lengths& lengths) const;
};

// The plan of docs/en/shapes.md: dynamic programming over the sorted mel lengths minimises padded
// frames; B of a signature is round(batch_size / grad_accum x mean mel / M), at least 1, and
// batch_size / grad_accum if it is the only one. Each signature fills at least 4 updates of an
// epoch: by a smaller B, down to one half, where it must, and there are no more signatures than the
// corpus has fours of updates; one that has not even four gets a smaller B. Every utterance of
// `lengths` has a place. A pure function. Throws UsageError if `lengths` is empty or has fewer
// utterances than an update has micro-batches, or if grad_accum does not divide batch_size (naming
// the nearest values that do).
ShapePlan make_shape_plan(std::span<const Lengths> lengths, const PlanSettings& settings);

// Exactly one signature, whatever the corpus is.
ShapePlan fixed_shape_plan(const Signature& signature);

// Rows of the only signature of `count` utterances: batch_size / grad_accum, fewer where they do
// not fill 4 updates. Throws UsageError as make_shape_plan() does.
std::int64_t rows_of_one_signature(std::int64_t count, const PlanSettings& settings);

// One line if `rows` are fewer than asked for, because there are too few utterances.
std::optional<std::string> small_batches_note(std::int64_t count,
                                              std::int64_t rows,
                                              const PlanSettings& settings);

// The share of mel frames that are padding when every utterance lies in its place, 0..1; with
// dynamic shapes the mean over all orders. Utterances without a place count for nothing.
double padding_of(const ShapePlan& plan, std::span<const Lengths> lengths);

}  // namespace xtts::pipeline
