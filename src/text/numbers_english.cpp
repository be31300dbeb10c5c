#include "text/numbers_english.h"

#include <array>
#include <utility>

#include "base/error.h"

namespace myxtts::text {
namespace {

constexpr std::array<std::string_view, 20> kSmallEnglish = {
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTensEnglish = {
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<std::pair<std::uint64_t, std::string_view>, 5> kScalesEnglish = {{
    {1'000'000'000'000'000, "quadrillion"},
    {1'000'000'000'000, "trillion"},
    {1'000'000'000, "billion"},
    {1'000'000, "million"},
    {1'000, "thousand"},
}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kOrdinals = {{
    {"one", "first"},
    {"two", "second"},
    {"three", "third"},
    {"five", "fifth"},
    {"eight", "eighth"},
    {"nine", "ninth"},
    {"twelve", "twelfth"},
}};

void append_word(std::string& words, std::string_view word) {
  if (!words.empty()) words += ' ';
  words += word;
}

std::string below_hundred(std::uint64_t number) {
  if (number < kSmallEnglish.size()) return std::string(kSmallEnglish[number]);
  std::string words(kTensEnglish[number / 10]);
  if (number % 10 != 0) {
    words += '-';
    words += kSmallEnglish[number % 10];
  }
  return words;
}

std::string below_thousand_english(std::uint64_t number) {
  std::string words;
  if (number >= 100) {
    words += kSmallEnglish[number / 100];
    words += " hundred";
    number %= 100;
    if (number == 0) return words;
  }
  append_word(words, below_hundred(number));
  return words;
}

// Splits before the last word: "twenty-three" -> {"twenty-", "three"}.
std::pair<std::string, std::string> split_last_word(const std::string& words) {
  const std::size_t cut = words.find_last_of(" -");
  if (cut == std::string::npos) return {"", words};
  return {words.substr(0, cut + 1), words.substr(cut + 1)};
}

}  // namespace

std::string cardinal_english(std::uint64_t number) {
  invariant(number <= kLargestCardinal, "the number is at most kLargestCardinal");
  if (number == 0) return "zero";

  std::string words;
  for (const auto& [scale, name] : kScalesEnglish) {
    if (number < scale) continue;
    append_word(words, below_thousand_english(number / scale));
    append_word(words, name);
    number %= scale;
  }
  if (number > 0) append_word(words, below_thousand_english(number));
  return words;
}

std::string ordinal_english(std::uint64_t number) {
  auto [head, last] = split_last_word(cardinal_english(number));
  for (const auto& [cardinal, ordinal] : kOrdinals) {
    if (last == cardinal) return head + std::string(ordinal);
  }
  if (last.back() == 'y') {
    last.pop_back();
    return head + last + "ieth";
  }
  return head + last + "th";
}

std::string year_english(std::uint64_t year) {
  if (year < 1000 || year > 2099 || (year >= 2000 && year < 2010) || year % 1000 == 0) {
    return year <= kLargestCardinal ? cardinal_english(year)
                                    : spell_digits_english(std::to_string(year));
  }
  const std::string century = below_hundred(year / 100);
  const std::uint64_t rest = year % 100;
  if (rest == 0) return century + " hundred";
  if (rest < 10) return century + " oh " + below_hundred(rest);
  return century + ' ' + below_hundred(rest);
}

std::string decade_english(std::uint64_t decade) {
  return plural_english(year_english(decade));
}

std::string spell_digits_english(std::string_view digits) {
  std::string words;
  for (const char digit : digits)
    append_word(words, kSmallEnglish[static_cast<std::size_t>(digit - '0')]);
  return words;
}

std::string integer_english(std::string_view digits) {
  const bool leading_zero = digits.size() > 1 && digits.front() == '0';
  const std::uint64_t value = value_of_digits(digits, kLargestCardinal + 1);
  if (leading_zero || value > kLargestCardinal) return spell_digits_english(digits);
  return cardinal_english(value);
}

std::string decimal_english(std::string_view whole, std::string_view decimals) {
  std::string words = whole.empty() ? "zero" : integer_english(whole);
  if (!decimals.empty()) words += " point " + spell_digits_english(decimals);
  return words;
}

std::uint64_t value_of_digits(std::string_view digits, std::uint64_t fallback) {
  if (digits.empty() || digits.size() > 18) return fallback;
  std::uint64_t value = 0;
  for (const char digit : digits)
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
  return value;
}

std::string plural_english(std::string word) {
  if (word.empty()) return word;
  if (word.back() == 'y') {
    word.pop_back();
    return word + "ies";
  }
  if (word.back() == 'x' || word.back() == 's') return word + "es";
  return word + "s";
}

}  // namespace myxtts::text
