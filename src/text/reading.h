#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace xtts::text {

// What is said for a run of characters of the text.
struct Reading {
  std::size_t length = 0;  // characters taken from the text, at least 1
  std::string words;
};

// The readers below look at `text` from `at` on. None of them reads further than what it takes
// plus a bounded look ahead, so that a text costs time in proportion to its length.

// The character at `at`, or 0 past the end.
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

// text[at, at + length) as bytes; what is not ASCII becomes '?'.
std::string to_ascii(std::u32string_view text, std::size_t at, std::size_t length);

// True if the ASCII `word` stands at `at`, spelled exactly so.
bool stands_at(std::u32string_view text, std::size_t at, std::string_view word);

// True if what follows `at` (just after the point of an abbreviation) is the end of the text or
// looks like a new sentence: a space and a capital letter.
bool sentence_may_end(std::u32string_view text, std::size_t at);

// The stricter question for what often stands before a name ("U.S.", "Jr.", "p.m."): true at the
// end of the text or before a frequent first word of a sentence ("The", "He"), not before any other
// capital letter ("the U.S. Army").
bool sentence_surely_ends(std::u32string_view text, std::size_t at);

// The word that ends before `at`, with spaces and one comma or point between, in small letters; ""
// when there is none, or it has more than 16 letters.
std::string word_before(std::u32string_view text, std::size_t at);

// Position of the first character at or after `at` that is not a space.
std::size_t skip_spaces(std::u32string_view text, std::size_t at);

}  // namespace xtts::text
