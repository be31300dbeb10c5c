#include "text/quantities_persian.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "text/numbers_english.h"
#include "text/numbers_persian.h"

namespace xtts::text {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"فروردین",
                                                      "اردیبهشت",
                                                      "خرداد",
                                                      "تیر",
                                                      "مرداد",
                                                      "شهریور",
                                                      "مهر",
                                                      "آبان",
                                                      "آذر",
                                                      "دی",
                                                      "بهمن",
                                                      "اسفند"};

constexpr std::array<std::pair<char32_t, std::string_view>, 13> kSymbols = {{
    {U'%', "درصد"},
    {U'\u066a', "درصد"},
    {U'$', "دلار"},
    {U'\u20ac', "یورو"},
    {U'\u00a3', "پوند"},
    {U'&', "و"},
    {U'+', "به علاوه"},
    {U'=', "مساوی"},
    {U'\u00d7', "ضربدر"},
    {U'\u00f7', "تقسیم بر"},
    {U'\u00b0', "درجه"},
    {U'@', "ات"},
    {U'#', "هشتگ"},
}};

constexpr char32_t kMim = U'\u0645';
constexpr char32_t kHalfSpace = U'\u200c';

struct Number {
  std::size_t length = 0;
  std::string whole, decimals;
};

bool is_thousands_separator(char32_t c) {
  return c == U',' || c == U'\u066c' || c == U'\u060c';
}

bool is_decimal_separator(char32_t c) {
  return c == U'.' || c == U'\u066b' || c == U'/';
}

Number read_written_number(std::u32string_view text, std::size_t at) {
  Number number;
  std::size_t end = at + count_digits(text, at);
  number.whole = to_ascii(text, at, end - at);
  if (number.whole.size() <= 3) {
    while (is_thousands_separator(char_at(text, end)) && count_digits(text, end + 1) == 3) {
      number.whole += to_ascii(text, end + 1, 3);
      end += 4;
    }
  }
  if (is_decimal_separator(char_at(text, end)) && is_digit(char_at(text, end + 1))) {
    const std::size_t digits = count_digits(text, end + 1);
    number.decimals = to_ascii(text, end + 1, digits);
    end += 1 + digits;
  }
  number.length = end - at;
  return number;
}

// A date of the Persian calendar: year/month/day.
std::optional<Reading> read_date_persian(std::u32string_view text, std::size_t at) {
  if (count_digits(text, at) != 4 || char_at(text, at + 4) != U'/') return std::nullopt;
  const std::size_t month_digits = count_digits(text, at + 5);
  const std::size_t day_at = at + 5 + month_digits + 1;
  const std::size_t day_digits = count_digits(text, day_at);
  if (month_digits == 0 || month_digits > 2 || day_digits == 0 || day_digits > 2)
    return std::nullopt;
  if (char_at(text, day_at - 1) != U'/') return std::nullopt;
  const std::uint64_t year = value_of_digits(to_ascii(text, at, 4), 0);
  const std::uint64_t month = value_of_digits(to_ascii(text, at + 5, month_digits), 0);
  const std::uint64_t day = value_of_digits(to_ascii(text, day_at, day_digits), 0);
  if (year < 1200 || year > 1499 || month < 1 || month > 12 || day < 1 || day > 31) {
    return std::nullopt;
  }
  return Reading{
      day_at + day_digits - at,
      ordinal_persian(day) + ' ' + std::string(kMonths[month - 1]) + ' ' + cardinal_persian(year)};
}

std::optional<Reading> read_time_persian(std::u32string_view text, std::size_t at) {
  const std::size_t hour_digits = count_digits(text, at);
  const std::size_t minute_at = at + hour_digits + 1;
  if (hour_digits > 2 || char_at(text, minute_at - 1) != U':') return std::nullopt;
  if (count_digits(text, minute_at) != 2) return std::nullopt;
  const std::uint64_t hour = value_of_digits(to_ascii(text, at, hour_digits), 99);
  const std::uint64_t minute = value_of_digits(to_ascii(text, minute_at, 2), 99);
  if (hour > 24 || minute > 59) return std::nullopt;
  const std::string words = cardinal_persian(hour);
  if (minute == 0) return Reading{hour_digits + 3, words};
  return Reading{hour_digits + 3, words + " و " + cardinal_persian(minute) + " دقیقه"};
}

// The ending of an ordinal after a number: "-om", "-omin", with or without a half-space.
std::optional<Reading> read_ordinal_ending(std::u32string_view text, std::size_t at) {
  std::size_t end = at;
  if (char_at(text, end) == kHalfSpace) ++end;
  if (char_at(text, end) == U'\u0627') ++end;  // "30-am"
  if (char_at(text, end) != kMim) return std::nullopt;
  ++end;
  const bool superlative = char_at(text, end) == U'\u06cc' && char_at(text, end + 1) == U'\u0646';
  if (superlative) end += 2;
  if (is_letter_or_digit(char_at(text, end))) return std::nullopt;
  return Reading{end - at, superlative ? "ین" : ""};
}

Reading read_one(std::u32string_view text, std::size_t at) {
  const Number number = read_written_number(text, at);
  const std::size_t end = at + number.length;
  const std::uint64_t value = value_of_digits(number.whole, kLargestCardinalPersian + 1);
  if (number.decimals.empty() && value <= kLargestCardinalPersian) {
    if (const auto ending = read_ordinal_ending(text, end)) {
      return {number.length + ending->length, ordinal_persian(value) + ending->words};
    }
  }
  std::string words = decimal_persian(number.whole, number.decimals);
  const std::size_t sign_at = char_at(text, end) == U' ' ? end + 1 : end;
  constexpr std::u32string_view kAfterNumber = U"%\u066a$\u20ac\u00a3\u00b0";
  const char32_t sign = char_at(text, sign_at);
  if (sign != U'\0' && kAfterNumber.find(sign) != std::u32string_view::npos) {
    words += ' ';
    words += symbol_words_persian(sign);
    return {sign_at + 1 - at, words};
  }
  return {number.length, words};
}

}  // namespace

Reading read_quantity_persian(std::u32string_view text, std::size_t at) {
  if (auto date = read_date_persian(text, at)) return *date;
  if (auto time = read_time_persian(text, at)) return *time;
  Reading reading = read_one(text, at);
  const std::size_t dash_at = at + reading.length;
  if (char_at(text, dash_at) != U'-' || !is_digit(char_at(text, dash_at + 1))) return reading;
  const Reading second = read_one(text, dash_at + 1);
  return {dash_at + 1 + second.length - at, reading.words + " تا " + second.words};
}

std::string_view symbol_words_persian(char32_t symbol) {
  const auto* found =
      std::ranges::find(kSymbols, symbol, [](const auto& entry) { return entry.first; });
  return found == kSymbols.end() ? std::string_view{} : found->second;
}

}  // namespace xtts::text
