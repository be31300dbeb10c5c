#pragma once

#include <string>
#include <string_view>

#include "text/unify_characters.h"

namespace myxtts::text {

// Normalises Persian text to its spoken form: digits of any script become words, letters get their
// Persian form, half-spaces and punctuation are unified (letters_persian.h). Latin words stay,
// because espeak-ng reads them as English. Characters without a spoken form are removed and
// reported in `dropped`.
//
// `utf8` must be well formed. Never throws, runs in linear time, and returns at most 64 bytes per
// byte of input.
std::string normalise_persian(std::string_view utf8, DroppedCharacters& dropped);

}  // namespace myxtts::text
