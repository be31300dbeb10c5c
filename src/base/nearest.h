#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace xtts::base {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
int edit_distance(std::string_view a, std::string_view b);

// The candidate closest to `word`, if it is close enough to be a likely typing error.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean '--batch-size'?" or "" when nothing is near: for the end of an error message.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace xtts::base
