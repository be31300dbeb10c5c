#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/reading.h"

namespace xtts::text {

// At the first letter of a word: "Mr." -> "mister", "No. 5" -> "number", "St. Louis" -> "saint",
// "Main St." -> "street". `previous_word` is the word before it in the same text, "" at its start.
// The point is not taken where it ends a sentence as well ("etc." at the end).
std::optional<Reading> read_abbreviation(std::u32string_view text,
                                         std::size_t at,
                                         std::string_view previous_word);

// At a letter: "U.S.A." -> "U S A", "J. Smith" -> "J" (an initial does not end a sentence).
std::optional<Reading> read_dotted_letters(std::u32string_view text,
                                           std::size_t at,
                                           std::string_view previous_word);

}  // namespace xtts::text
