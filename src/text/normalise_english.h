#pragma once

#include <string>
#include <string_view>

#include "text/unify_characters.h"

namespace xtts::text {

// English text as it is spoken: numbers, ordinals, money, dates, times, telephone numbers, units,
// abbreviations, acronyms, Roman numerals and symbols become words; typography is unified; what
// nobody speaks is left out and reported in `dropped`. Capital letters stay (espeak-ng reads "US"
// and "us" differently).
//
// `utf8` must be well formed; then it never throws, takes time in proportion to its length, and the
// result has at most 64 bytes per byte of the input.
std::string normalise_english(std::string_view utf8, DroppedCharacters& dropped);

}  // namespace xtts::text
