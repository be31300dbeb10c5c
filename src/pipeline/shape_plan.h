#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/signature.h"

namespace xtts::pipeline {

inline constexpr int kMostSignatures = 8;  // of an automatic plan

struct PlanSettings {
  int batch_size = 16;                // utterances of one update
  int grad_accum = 1;                 // micro-batches of one update; divides batch_size
  std::optional<int> max_signatures;  // unset: as many as pay, at most kMostSignatures
};

// The finite list of signatures of a run, made before step 1 and stored with it.
struct ShapePlan {
  std::vector<Signature>
      signatures;                  // ascending in mel; a later one holds whatever an earlier does
  std::vector<std::string> notes;  // what was decided, one line each, for people

  // The first signature that holds the utterance; absent: it is longer than the plan.
  std::optional<std::size_t> place(const Lengths& lengths) const;
};

// The plan of docs/en/shapes.md: dynamic programming over the sorted mel lengths minimises padded
// frames; B of a signature is round(batch_size / grad_accum x mean mel / M), at least 1, and
// batch_size / grad_accum if it is the only one; each signature fills at least 4 updates of an
// epoch; a corpus smaller than 4 updates gets one signature and a smaller B. Every utterance of
// `lengths` has a place. A pure function. Throws UsageError if `lengths` is empty or has fewer
// utterances than an update has micro-batches, or if grad_accum does not divide batch_size (naming
// the nearest values that do).
ShapePlan make_shape_plan(std::span<const Lengths> lengths, const PlanSettings& settings);

// Exactly one signature, whatever the corpus is.
ShapePlan fixed_shape_plan(const Signature& signature);

// The share of mel frames that are padding when every utterance lies in its place, 0..1.
// Utterances that are longer than the plan count for nothing.
double padding_of(const ShapePlan& plan, std::span<const Lengths> lengths);

// The indices of the utterances that are longer than the plan, ascending. They are left out of
// training and validation; whoever uses the plan says so.
std::vector<std::size_t> left_out_of(const ShapePlan& plan, std::span<const Lengths> lengths);

}  // namespace xtts::pipeline
