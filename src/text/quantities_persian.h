#pragma once

#include <string_view>

#include "text/reading.h"

namespace xtts::text {

// Stands for the rial in a text whose characters are unified: U+FDFC itself would become letters,
// and its place before or behind the number would be lost.
inline constexpr char32_t kRialSign = U'\u00a4';

// At a digit: dates (1402/05/03), times (10:30), decimals with a point, a Persian separator or a
// slash, thousands, percent, ordinals ("3" and the letter mim), ranges, amounts of money.
// `text` has ASCII digits. Always reads something, and never less than the run of digits.
Reading read_quantity_persian(std::u32string_view text, std::size_t at);

// The name of a currency or another sign that is said, "" when it is none.
std::string_view symbol_words_persian(char32_t symbol);

}  // namespace xtts::text
