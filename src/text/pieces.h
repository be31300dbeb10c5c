#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtts::text {

// What stands between two pieces, and the piece: "Well, no" is {"", "Well"}, {", ", "no"}.
struct Segment {
  std::string before;  // spaces and marks, kept as they are
  std::string piece;   // to be phonemised; without marks, may be empty at the end of the text
};

// espeak-ng drops punctuation, so the text is cut at the marks and they are kept here. A piece has
// at least one letter or digit, is one line of at most kMaxPieceBytes (a longer one is cut at a
// space if it has one) and has no run of apostrophes or brackets that espeak-ng trips over.
inline constexpr std::size_t kMaxPieceBytes = 400;

std::vector<Segment> split_at_marks(std::string_view utf8);

}  // namespace xtts::text
