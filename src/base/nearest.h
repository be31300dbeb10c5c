// Spelling suggestions for error messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace myxtts::base {

// Returns the Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of
// adjacent characters.
int edit_distance(std::string_view a, std::string_view b);

// Returns the candidate closest to `word`, or nullopt if none is close enough to be a likely typo.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// Returns "; did you mean '--batch-size'?" for the end of a message, or "" if nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace myxtts::base
