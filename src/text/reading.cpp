#include "text/reading.h"

#include <algorithm>
#include <array>

#include <unicode/uchar.h>

namespace myxtts::text {

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
  return u_isalpha(static_cast<UChar32>(c)) != 0;
}

bool is_upper(char32_t c) {
  if (c < 0x80) return c >= U'A' && c <= U'Z';
  return u_isupper(static_cast<UChar32>(c)) != 0;
}

bool is_lower(char32_t c) {
  if (c < 0x80) return c >= U'a' && c <= U'z';
  return u_islower(static_cast<UChar32>(c)) != 0;
}

std::size_t count_digits(std::u32string_view text, std::size_t at) {
  std::size_t end = at;
  while (is_digit(char_at(text, end)))
    ++end;
  return end - at;
}

std::size_t count_letters(std::u32string_view text, std::size_t at) {
  std::size_t end = at;
  while (is_letter(char_at(text, end)))
    ++end;
  return end - at;
}

std::string to_ascii(std::u32string_view text, std::size_t at, std::size_t length) {
  std::string bytes;
  if (at >= text.size()) return bytes;
  for (const char32_t c : text.substr(at, length)) {
    bytes.push_back(c < 0x80 ? static_cast<char>(c) : '?');
  }
  return bytes;
}

bool matches_at(std::u32string_view text, std::size_t at, std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (char_at(text, at + i) != static_cast<unsigned char>(word[i])) return false;
  }
  return true;
}

bool sentence_may_end(std::u32string_view text, std::size_t at) {
  const char32_t next = char_at(text, at);
  if (next == U'"' || next == U')') ++at;
  if (at >= text.size()) return true;
  const std::size_t word_at = skip_spaces(text, at);
  return word_at >= text.size() || (word_at > at && is_upper(text[word_at]));
}

bool sentence_surely_ends(std::u32string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 44> kFirstWords = {
      "A",    "After", "All",  "An",   "And",   "As",  "At",   "Before", "But",  "For",  "He",
      "Her",  "His",   "How",  "I",    "If",    "In",  "It",   "Its",    "Many", "Most", "My",
      "No",   "Now",   "On",   "One",  "Our",   "She", "So",   "Some",   "That", "The",  "Their",
      "Then", "There", "They", "This", "Those", "We",  "What", "When",   "Who",  "Why",  "You"};
  if (!sentence_may_end(text, at)) return false;
  if (!is_letter_or_digit(char_at(text, at)) && char_at(text, at) != U' ') ++at;
  const std::size_t word_at = skip_spaces(text, at);
  if (word_at >= text.size()) return true;
  constexpr std::size_t kMaxLetters = 7;
  const std::size_t length = count_letters(text.substr(word_at, kMaxLetters), 0);
  return std::ranges::count(kFirstWords, to_ascii(text, word_at, length)) > 0;
}

std::string word_before(std::u32string_view text, std::size_t at) {
  constexpr std::size_t kMaxLetters = 16;
  while (at > 0 && text[at - 1] == U' ')
    --at;
  if (at > 0 && (text[at - 1] == U',' || text[at - 1] == U'.')) --at;
  std::size_t start = at;
  while (start > 0 && at - start <= kMaxLetters && is_letter(text[start - 1]))
    --start;
  if (at - start > kMaxLetters) return "";
  std::string word = to_ascii(text, start, at - start);
  for (char& c : word)
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  return word;
}

std::size_t skip_spaces(std::u32string_view text, std::size_t at) {
  while (char_at(text, at) == U' ')
    ++at;
  return at;
}

}  // namespace myxtts::text
