// Text cleaners, selected by their configured names.
//
//   english_cleaners   normalise_english.h
//   persian_cleaners   normalise_persian.h
//   basic_cleaners     lower case, single spaces
//   no_cleaners        only removes control characters and repeated spaces
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/unify_characters.h"

namespace myxtts::text {

const std::vector<std::string>& known_cleaners();

// Throws UsageError for an unknown cleaner and suggests the nearest name.
void require_known_cleaners(std::span<const std::string> names);

// Applies the named cleaners in order to well-formed UTF-8. The result is one line.
std::string clean(std::string_view utf8,
                  std::span<const std::string> names,
                  DroppedCharacters& dropped);

}  // namespace myxtts::text
