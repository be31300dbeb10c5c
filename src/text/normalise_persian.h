#pragma once

#include <string>
#include <string_view>

#include "text/unify_characters.h"

namespace xtts::text {

// Persian text as it is spoken: digits of any script become words, letters their Persian form,
// half-spaces and punctuation are put in order (letters_persian.h). Latin words stay: espeak-ng
// reads them as English. What nobody speaks is left out and reported in `dropped`.
//
// `utf8` must be well formed; then it never throws, takes time in proportion to its length, and the
// result has at most 64 bytes per byte of the input.
std::string normalise_persian(std::string_view utf8, DroppedCharacters& dropped);

}  // namespace xtts::text
