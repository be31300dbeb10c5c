// Reads words in capital letters: acronyms, emphasis and Roman numerals.
//
// Rules, in order: (1) the normaliser lower-cases an all-caps sentence; (2) a listed pronounceable
// acronym (NASA, NATO) is read as a word; (3) a frequent English word in capitals is emphasis (NOT)
// and is lower-cased; (4) two to five capital letters are spelled (FBI -> "F B I"), keeping plural
// and possessive (CDs -> "C D's"); (5) anything longer is read as a word.
#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// True for a text without lower-case letters and with at least two words, most of them common:
// frequent words (THE, NOT) or words of four or more letters with a vowel. "SQL, XML, API" is not
// one.
bool is_all_caps_sentence(std::u32string_view text);

// Reads an acronym at the start of a capitalised word.
std::optional<Reading> read_acronym(std::u32string_view text, std::size_t at);

// Reads a Roman numeral after a capitalised name: "Henry VIII" -> "the eighth", "World War II" ->
// "two". A single letter counts only after the name of a monarch or pope or a counted word.
std::optional<Reading> read_roman_numeral(std::u32string_view text,
                                          std::size_t at,
                                          std::string_view previous_word);

}  // namespace myxtts::text
