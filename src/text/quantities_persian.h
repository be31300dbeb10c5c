// Reads Persian quantities and symbols.
#pragma once

#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// Placeholder for the rial sign in unified text: unification would turn U+FDFC into letters, which
// could not be moved after the number.
inline constexpr char32_t kRialSign = U'\u00a4';

// Reads a quantity at a digit: dates (1402/05/03), times (10:30), decimals with a point, a Persian
// separator or a slash, thousands, percent, ordinals ("3" and the letter mim), ranges, amounts of
// money. `text` has ASCII digits. Consumes at least the run of digits.
Reading read_quantity_persian(std::u32string_view text, std::size_t at);

// Returns the spoken name of a currency or another sign, or "" if it has none.
std::string_view symbol_words_persian(char32_t symbol);

}  // namespace myxtts::text
