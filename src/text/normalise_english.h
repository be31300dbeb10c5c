#pragma once

#include <string>
#include <string_view>

#include "text/unify_characters.h"

namespace myxtts::text {

// Normalises English text to its spoken form: numbers, ordinals, money, dates, times, telephone
// numbers, units, abbreviations, acronyms, Roman numerals and symbols become words; typography is
// unified; characters without a spoken form are removed and reported in `dropped`. Capital letters
// stay, because espeak-ng reads "US" and "us" differently.
//
// `utf8` must be well formed. Never throws, runs in linear time, and returns at most 64 bytes per
// byte of input.
std::string normalise_english(std::string_view utf8, DroppedCharacters& dropped);

}  // namespace myxtts::text
