#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// Reads the unit after a number, with the space before it: " km/h" -> "kilometers per hour".
// Case-sensitive ("MB" is not "Mb"). "in" and other English words count only with a point.
std::optional<Reading> read_unit(std::u32string_view text, std::size_t at, bool singular);

}  // namespace myxtts::text
