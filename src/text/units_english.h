#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace xtts::text {

// The unit after a number, with the space before it: " km/h" -> "kilometers per hour". Spelling is
// exact ("MB" is not "Mb"); "in" and other words of the language count only with their point.
std::optional<Reading> read_unit(std::u32string_view text, std::size_t at, bool singular);

}  // namespace xtts::text
