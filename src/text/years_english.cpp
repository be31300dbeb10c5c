#include "text/years_english.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/reading.h"

namespace myxtts::text {
namespace {

constexpr std::array<std::string_view, 25> kBeforeYears = {
    "in",       "since",  "until",  "till",   "year", "circa",  "the",       "january", "february",
    "march",    "april",  "may",    "june",   "july", "august", "september", "october", "november",
    "december", "spring", "summer", "autumn", "fall", "winter", "c"};

constexpr std::array<std::string_view, 12> kCountedThings = {"people",
                                                             "men",
                                                             "women",
                                                             "children",
                                                             "feet",
                                                             "percent",
                                                             "thousand",
                                                             "million",
                                                             "billion",
                                                             "sheep",
                                                             "yen",
                                                             "hundred"};

// Words that look like a plural but may follow a year.
constexpr std::array<std::string_view, 10> kNotCounted = {"always",
                                                          "perhaps",
                                                          "does",
                                                          "besides",
                                                          "sometimes",
                                                          "towards",
                                                          "afterwards",
                                                          "upwards",
                                                          "onwards",
                                                          "hers"};

bool looks_plural(std::string_view word) {
  if (word.size() < 4 || word.back() != 's' || std::ranges::count(kNotCounted, word)) return false;
  return !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is");
}

}  // namespace

bool counts_something(std::u32string_view text, std::size_t at, std::size_t end) {
  if (std::ranges::count(kBeforeYears, word_before(text, at))) return false;
  constexpr std::size_t kMaxWordLetters = 24;
  if (char_at(text, end) == U'-') end += 1 + count_digits(text.substr(end + 1, kMaxWordLetters), 0);
  if (char_at(text, end) != U' ' || end + 1 >= text.size()) return false;
  const std::u32string_view ahead = text.substr(end + 1, kMaxWordLetters);
  const std::size_t length = count_letters(ahead, 0);
  for (const char32_t c : ahead.substr(0, length)) {
    if (!is_lower(c)) return false;
  }
  const std::string word = to_ascii(ahead, 0, length);
  return looks_plural(word) || std::ranges::count(kCountedThings, word) > 0;
}

}  // namespace myxtts::text
