// Chooses the input signatures of a run before step 1.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/signature.h"

namespace myxtts::data {

inline constexpr int kMaxSignatures = 8;  // maximum of an automatic plan

// How batches are padded (docs/en/shapes.md).
enum class ShapeMode {
  kFixed,    // one given signature
  kBuckets,  // several signatures, chosen from the lengths
  kDynamic,  // no fixed signature: every batch is as long as its longest utterance
};

std::string_view name_of(ShapeMode mode);  // "fixed", "buckets", "dynamic"

struct PlanSettings {
  int batch_size = 16;                // utterances per batch
  int grad_accum = 1;                 // micro-batches per batch; divides batch_size
  std::optional<int> max_signatures;  // unset: automatic, at most kMaxSignatures
  Lengths must_hold = {};             // lengths that the longest signature also fits
};

// The finite list of input signatures of a run, chosen before step 1 and stored with the run.
struct ShapePlan {
  // Ascending in mel and text. With dynamic shapes the only entry is the maximum of all batches.
  std::vector<Signature> signatures;
  std::vector<std::string> notes;  // messages about the decision, one line each
  ShapeMode mode = ShapeMode::kBuckets;
  Lengths limits = {kNoLimit, kNoLimit};  // longer utterances are filtered

  bool is_dynamic() const { return mode == ShapeMode::kDynamic; }

  // Returns the shapes of all batches; empty with dynamic shapes.
  std::vector<Signature> known_shapes() const;

  // Returns the index of the first signature that the utterance fits; nullopt if it is too long.
  std::optional<std::size_t> find_signature(const Lengths& lengths) const;
};

// Returns a bucket plan (docs/en/shapes.md). Dynamic programming over the sorted mel lengths
// minimises the padded frames. B of a signature is round(batch_size / grad_accum x mean mel / M),
// at least 1, and batch_size / grad_accum if it is the only one. Each signature fills at least 4
// batches of an epoch, if necessary with B reduced by up to one half; there is at most one
// signature per 4 batches of the corpus, and a corpus of fewer than 4 batches gets a smaller B.
// Every utterance of `lengths` fits. A pure function. Throws UsageError if `lengths` is empty or
// has fewer utterances than grad_accum, or if grad_accum does not divide batch_size (naming the
// nearest values that do).
ShapePlan make_shape_plan(std::span<const Lengths> lengths, const PlanSettings& settings);

// Returns a plan with exactly this signature.
ShapePlan fixed_shape_plan(const Signature& signature);

// Returns B of the only signature of `count` utterances: batch_size / grad_accum, or less if they
// do not fill 4 batches. Throws UsageError as make_shape_plan().
std::int64_t rows_of_one_signature(std::int64_t count, const PlanSettings& settings);

// Returns a note if `count` utterances fill fewer than 4 batches, so that B is reduced to `rows`.
std::optional<std::string> small_batches_note(std::int64_t count,
                                              std::int64_t rows,
                                              const PlanSettings& settings);

// Returns the share of padding in the mel frames, 0..1; with dynamic shapes the mean over all
// orders. Ignores utterances that do not fit.
double padding_of(const ShapePlan& plan, std::span<const Lengths> lengths);

}  // namespace myxtts::data
