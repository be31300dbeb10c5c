#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::speak {

// Where a piece of a text ends, from the shortest to the longest pause.
enum class PieceEnd {
  kWord,       // in the middle of a clause: there was no better place within the limit
  kClause,     // after a comma, semicolon, colon or dash
  kSentence,   // after a point, question or exclamation mark
  kParagraph,  // before an empty line
};

struct Piece {
  std::string text;  // UTF-8 without blanks at its ends
  PieceEnd end = PieceEnd::kSentence;

  bool operator==(const Piece&) const = default;
};

// A text as the pieces that are spoken one at a time: its sentences, and parts of those that have
// more than `max_characters` (code points, at least 1). Knows the marks of English and Persian and
// the points that end no sentence: "Dr. Smith", "the U.S. Army", "3.14". Every character but
// blanks is in one of the pieces, in its order. Each piece has a letter or digit if the text has
// any, and is longer than the limit only by marks at its ends. The end of the last one is
// kSentence. `utf8` must be well formed; a text of blanks has no pieces.
std::vector<Piece> split_sentences(std::string_view utf8, std::size_t max_characters);

}  // namespace xtts::speak
