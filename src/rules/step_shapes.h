#pragma once

#include <optional>
#include <string_view>

#include "rules/record.h"

namespace xtts::rules {

// The shape that a name says: "16x200x768" is B, T, M. Absent: a name of another form.
std::optional<Shape> parse_shape(std::string_view name);

// Utterances of one update: what its steps had on average, micro-batches together. A plan gives a
// signature the rows that suit its length, and fewer in a small corpus; where no step has a name
// it is what the run was told, batch_size. Absent: neither is known.
std::optional<double> rows_of_update(const Record& record);

}  // namespace xtts::rules
