// Expands English abbreviations.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// Expands an abbreviation at the start of a word: "Mr." -> "mister", "No. 5" -> "number",
// "St. Louis" -> "saint", "Main St." -> "street". `previous_word` is the preceding word of the
// text,
// "" at its start. The point stays in the text if it also ends a sentence ("etc." at the end).
std::optional<Reading> read_abbreviation(std::u32string_view text,
                                         std::size_t at,
                                         std::string_view previous_word);

// Reads dotted letters: "U.S.A." -> "U S A", "J. Smith" -> "J" (an initial ends no sentence).
std::optional<Reading> read_dotted_letters(std::u32string_view text,
                                           std::size_t at,
                                           std::string_view previous_word);

}  // namespace myxtts::text
