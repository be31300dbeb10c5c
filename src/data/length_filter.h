// Filters utterances that are longer than the length limits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/signature.h"

namespace myxtts::data {

// Share of filtered utterances or frames above which a run prints a warning.
inline constexpr double kFilterWarningShare = 0.05;
// Share above which a run is refused.
inline constexpr double kFilterRefusalShare = 0.5;

// The utterances that exceed the limits. They are in no batch and are never truncated.
struct FilteredByLength {
  std::vector<std::size_t> utterances;  // indices, ascending
  double utterance_share = 0.0;         // of all utterances, 0..1
  double frame_share = 0.0;             // of all frames, that is of the hours, 0..1

  double larger_share() const;
};

FilteredByLength filter_by_length(const Lengths& limits, std::span<const Lengths> lengths);

// Returns the smallest round limits, not below the given ones, that filter at most 1 % of the
// utterances and of the frames.
Lengths limits_that_keep_most(const Lengths& limits, std::span<const Lengths> lengths);

// Returns the flags that change `from` into `to`, such as "--max-mel-frames 960"; "" if equal.
std::string flags_between(const Lengths& from, const Lengths& to);

// Returns a warning with the flags that keep 99 %, if the limits filter more than
// kFilterWarningShare.
std::optional<std::string> length_filter_warning(const Lengths& limits,
                                                 std::span<const Lengths> lengths);

// Returns an error message with these flags, if the limits filter more than kFilterRefusalShare.
std::optional<std::string> length_filter_refusal(const Lengths& limits,
                                                 std::span<const Lengths> lengths);

}  // namespace myxtts::data
