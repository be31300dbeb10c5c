#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/signature.h"

namespace xtts::pipeline {

// Above this share of the utterances or of the frames a run says how to keep more.
inline constexpr double kMuchLeftOut = 0.05;
// And above this one it refuses.
inline constexpr double kTooMuchLeftOut = 0.5;

// The utterances that are longer than some limits. They are in no batch of training or
// validation, and are never cut.
struct FilteredByLength {
  std::vector<std::size_t> utterances;  // their indices, ascending
  double utterance_share = 0.0;         // of all utterances, 0..1
  double frame_share = 0.0;             // of all frames, which are the hours, 0..1

  double larger_share() const;
};

FilteredByLength filter_by_length(const Lengths& limits, std::span<const Lengths> lengths);

// The smallest round limits, none below those given, that leave out at most 1 % of the utterances
// and of the frames.
Lengths limits_that_keep_most(const Lengths& limits, std::span<const Lengths> lengths);

// "--max-mel-frames 960": the flags that turn `from` into `to`; "" if nothing does.
std::string flags_between(const Lengths& from, const Lengths& to);

// One sentence if limits leave out more than kMuchLeftOut, with the flags that keep 99 %.
std::optional<std::string> length_filter_warning(const Lengths& limits,
                                                 std::span<const Lengths> lengths);

// The same for more than kTooMuchLeftOut: why such a training is refused.
std::optional<std::string> length_filter_refusal(const Lengths& limits,
                                                 std::span<const Lengths> lengths);

}  // namespace xtts::pipeline
