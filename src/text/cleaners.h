// The text cleaners by their configured names.
//
//   english_cleaners   normalise_english.h
//   persian_cleaners   normalise_persian.h
//   basic_cleaners     lower case, single spaces
//   no_cleaners        control characters and repeated spaces go, nothing else
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/unify_characters.h"

namespace xtts::text {

const std::vector<std::string>& known_cleaners();

// Throws UsageError that names the nearest known cleaner.
void require_known_cleaners(std::span<const std::string> names);

// Applies them in order to well-formed UTF-8; afterwards the text is one line.
std::string clean(std::string_view utf8,
                  std::span<const std::string> names,
                  DroppedCharacters& dropped);

}  // namespace xtts::text
