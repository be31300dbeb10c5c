// Distinguishes years from counts in four-digit numbers by their context.
//
// Rules: (1) after "in", "since", "until", "year", "circa", "the", the name of a month or of a
// season it is a year ("in 1998 sales rose", "the 1990 census"); (2) before a lower-case word
// that looks like a plural ("1234 pears") or is a counted word (people, men, million) it is a
// count; (3) everywhere else it is a year.
#pragma once

#include <cstddef>
#include <string_view>

namespace myxtts::text {

// True if the number text[at, end), or the range that it starts, counts the next word.
bool counts_something(std::u32string_view text, std::size_t at, std::size_t end);

}  // namespace myxtts::text
