// Splits a text into sentences for synthesis.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::synthesis {

// The boundary at the end of a piece of text, ordered from the shortest to the longest pause.
enum class PieceEnd {
  kWord,       // inside a clause: no better boundary within the length limit
  kClause,     // after a comma, semicolon, colon or dash
  kSentence,   // after a full stop, question or exclamation mark
  kParagraph,  // before an empty line
};

struct Piece {
  std::string text;  // UTF-8, trimmed
  PieceEnd end = PieceEnd::kSentence;

  bool operator==(const Piece&) const = default;
};

// Splits a text into the pieces that are synthesised one at a time: its sentences, and parts of
// sentences with more than `max_characters` code points (at least 1). Handles English and Persian
// punctuation and full stops that do not end a sentence: "Dr. Smith", "the U.S. Army", "3.14". The
// pieces contain every character except blanks, in order. Each piece has a letter or digit if the
// text has any, and exceeds the limit only by punctuation at its ends. The last piece ends with
// kSentence. `utf8` must be valid UTF-8; a blank text has no pieces.
std::vector<Piece> split_sentences(std::string_view utf8, std::size_t max_characters);

}  // namespace myxtts::synthesis
