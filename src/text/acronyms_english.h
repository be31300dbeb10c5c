// Words in capital letters.
//
// The rule, in order: (1) a text that is shouted (below) is lowered as a whole by the normaliser;
// (2) a word of the list of pronounceable acronyms (NASA, NATO) is a word; (3) a frequent English
// word in capitals is emphasis (NOT) and is lowered; (4) two to five capital letters are said one
// by one (FBI -> "F B I"), with the plural and the possessive kept (CDs -> "C D's"); (5) anything
// longer is a word.
#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace xtts::text {

// A headline: no lower-case letter, at least two words, and most of them common ones: frequent
// words (THE, NOT), or of four letters and more with a vowel. "SQL, XML, API" is a list of
// acronyms.
bool is_shouted(std::u32string_view text);

// At the first letter of a word that has a capital there.
std::optional<Reading> read_acronym(std::u32string_view text, std::size_t at);

// At the first letter of a word after a capitalised name: "Henry VIII" -> "the eighth", "World War
// II" -> "two". Single letters count only after the names of kings and popes.
std::optional<Reading> read_roman_numeral(std::u32string_view text,
                                          std::size_t at,
                                          std::string_view previous_word);

}  // namespace xtts::text
