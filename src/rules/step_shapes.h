#pragma once

#include <optional>
#include <string_view>

#include "rules/record.h"

namespace myxtts::rules {

// Parses a shape name: "16x200x768" is B, T, M. Returns nullopt for any other form.
std::optional<Shape> parse_shape(std::string_view name);

// Returns the mean number of utterances per step, over all micro-batches, from the signatures of
// the steps (B depends on the signature). Without signatures it is batch_size; absent if that is
// unknown too.
std::optional<double> rows_per_batch(const Record& record);

}  // namespace myxtts::rules
