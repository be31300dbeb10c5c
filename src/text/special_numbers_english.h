#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// Reads special numbers at a digit: powers ("10^6", "1e-5"), feet and inches (6'2"), emergency
// numbers after "call".
std::optional<Reading> read_special_number(std::u32string_view text, std::size_t at);

}  // namespace myxtts::text
