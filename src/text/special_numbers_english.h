#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace xtts::text {

// At a digit: powers ("10^6", "1e-5"), feet and inches (6'2"), the emergency number after "call".
std::optional<Reading> read_special_number(std::u32string_view text, std::size_t at);

}  // namespace xtts::text
