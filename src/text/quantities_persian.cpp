#include "text/quantities_persian.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "text/dates_persian.h"
#include "text/letters_persian.h"
#include "text/numbers_english.h"
#include "text/numbers_persian.h"

namespace myxtts::text {
namespace {

constexpr std::array<std::pair<char32_t, std::string_view>, 15> kSymbols = {{
    {U'%', "درصد"},
    {U'\u066a', "درصد"},
    {U'$', "دلار"},
    {U'\u20ac', "یورو"},
    {U'\u00a3', "پوند"},
    {kRialSign, "ریال"},
    {U'\u2030', "در هزار"},
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

// Units in Latin letters after a number. Longer spellings precede their own prefixes.
constexpr std::array<std::pair<std::u32string_view, std::string_view>, 25> kUnitsPersian = {{
    {U"km/h", "کیلومتر بر ساعت"},
    {U"km", "کیلومتر"},
    {U"cm", "سانتی‌متر"},
    {U"mm", "میلی‌متر"},
    {U"m", "متر"},
    {U"kg", "کیلوگرم"},
    {U"mg", "میلی‌گرم"},
    {U"g", "گرم"},
    {U"ml", "میلی‌لیتر"},
    {U"mL", "میلی‌لیتر"},
    {U"L", "لیتر"},
    {U"KB", "کیلوبایت"},
    {U"MB", "مگابایت"},
    {U"GB", "گیگابایت"},
    {U"TB", "ترابایت"},
    {U"kHz", "کیلوهرتز"},
    {U"MHz", "مگاهرتز"},
    {U"GHz", "گیگاهرتز"},
    {U"Hz", "هرتز"},
    {U"kW", "کیلووات"},
    {U"W", "وات"},
    {U"V", "ولت"},
    {U"min", "دقیقه"},
    {U"\u00b0C", "درجه سانتی‌گراد"},
    {U"\u00b0F", "درجه فارنهایت"},
}};

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

// Reads the ordinal suffix after a number: "-om", "-omin", with or without a half-space.
std::optional<Reading> read_ordinal_ending(std::u32string_view text, std::size_t at) {
  std::size_t end = at;
  const char32_t before = char_at(text, end);
  const bool parted = before == U' ' || before == U'-';  // only the longer suffix may be separate
  if (before == kHalfSpace || parted) ++end;
  if (parted && char_at(text, end) != U'\u0627') return std::nullopt;
  if (char_at(text, end) == U'\u0627') ++end;  // "30-am"
  if (char_at(text, end) != kMim) return std::nullopt;
  ++end;
  const bool superlative = char_at(text, end) == U'\u06cc' && char_at(text, end + 1) == U'\u0646';
  if (superlative) end += 2;
  if (is_letter_or_digit(char_at(text, end))) return std::nullopt;
  return Reading{end - at, superlative ? "ین" : ""};
}

std::optional<Reading> read_unit_persian(std::u32string_view text, std::size_t at) {
  const std::size_t unit_at = char_at(text, at) == U' ' ? at + 1 : at;
  if (unit_at >= text.size()) return std::nullopt;
  for (const auto& [written, words] : kUnitsPersian) {
    if (!text.substr(unit_at).starts_with(written)) continue;
    if (is_letter_or_digit(char_at(text, unit_at + written.size()))) continue;
    return Reading{unit_at + written.size() - at, std::string(words)};
  }
  return std::nullopt;
}

Reading read_one_persian(std::u32string_view text, std::size_t at) {
  const Number number = read_written_number(text, at);
  const std::size_t end = at + number.length;
  const std::uint64_t value = value_of_digits(number.whole, kLargestCardinalPersian + 1);
  if (number.decimals.empty() && value <= kLargestCardinalPersian) {
    if (const auto ending = read_ordinal_ending(text, end)) {
      return {number.length + ending->length, ordinal_persian(value) + ending->words};
    }
  }
  std::string words = decimal_persian(number.whole, number.decimals);
  if (const auto unit = read_unit_persian(text, end)) {
    return {number.length + unit->length, words + ' ' + unit->words};
  }
  const std::size_t sign_at = char_at(text, end) == U' ' ? end + 1 : end;
  constexpr std::u32string_view kAfterNumber = U"%\u066a$\u20ac\u00a3\u00b0\u00a4";
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
  if (auto telephone = read_telephone_persian(text, at)) return *telephone;
  Reading reading = read_one_persian(text, at);
  const std::size_t dash_at = at + reading.length;
  if (char_at(text, dash_at) != U'-' || !is_digit(char_at(text, dash_at + 1))) return reading;
  const Reading second = read_one_persian(text, dash_at + 1);
  return {dash_at + 1 + second.length - at, reading.words + " تا " + second.words};
}

std::string_view symbol_words_persian(char32_t symbol) {
  const auto* found =
      std::ranges::find(kSymbols, symbol, [](const auto& entry) { return entry.first; });
  return found == kSymbols.end() ? std::string_view{} : found->second;
}

}  // namespace myxtts::text
