// Character tests and helpers for the readers of the text normalisers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace myxtts::text {

// The spoken form of a run of characters.
struct Reading {
  std::size_t length = 0;  // characters consumed, at least 1
  std::string words;
};

// Readers examine `text` from position `at`. Their lookahead beyond the consumed characters is
// bounded, so that normalisation takes linear time.

// Returns the character at `at`, or 0 past the end.
inline char32_t char_at(std::u32string_view text, std::size_t at) {
  return at < text.size() ? text[at] : U'\0';
}

inline bool is_digit(char32_t c) {
  return c >= U'0' && c <= U'9';
}

bool is_letter(char32_t c);  // of any script
bool is_upper(char32_t c);
bool is_lower(char32_t c);
inline bool is_letter_or_digit(char32_t c) {
  return is_digit(c) || is_letter(c);
}

std::size_t count_digits(std::u32string_view text, std::size_t at);
std::size_t count_letters(std::u32string_view text, std::size_t at);

// Returns text[at, at + length) as bytes; non-ASCII characters become '?'.
std::string to_ascii(std::u32string_view text, std::size_t at, std::size_t length);

// True if the text at `at` starts with the ASCII `word`, case-sensitive.
bool matches_at(std::u32string_view text, std::size_t at, std::string_view word);

// True if a sentence may end before `at`, the position after the point of an abbreviation: at the
// end of the text or before a space and a capital letter.
bool sentence_may_end(std::u32string_view text, std::size_t at);

// Stricter test for abbreviations that often precede a name ("U.S.", "Jr.", "p.m."): true at the
// end of the text or before a frequent first word of a sentence ("The", "He"), but not before any
// other capital letter ("the U.S. Army").
bool sentence_surely_ends(std::u32string_view text, std::size_t at);

// Returns the word before `at` in lower case; spaces and one comma or point may lie between.
// Returns "" if there is none or it has more than 16 letters.
std::string word_before(std::u32string_view text, std::size_t at);

// Returns the position of the first character at or after `at` that is not a space.
std::size_t skip_spaces(std::u32string_view text, std::size_t at);

}  // namespace myxtts::text
