// Splits text at punctuation into pieces for espeak-ng.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace myxtts::text {

// A piece and the punctuation before it: "Well, no" is {"", "Well"}, {", ", "no"}.
struct Segment {
  std::string before;  // spaces and punctuation marks, unchanged
  std::string piece;   // to be phonemised; may be empty at the end of the text
};

// Splits a text at punctuation marks, which espeak-ng would drop, and keeps them. A piece has at
// least one letter or digit, is one line of at most kMaxPieceBytes (a longer one is split at a
// space if possible) and has no runs of apostrophes or brackets, on which espeak-ng fails.
inline constexpr std::size_t kMaxPieceBytes = 400;

std::vector<Segment> split_at_punctuation(std::string_view utf8);

}  // namespace myxtts::text
