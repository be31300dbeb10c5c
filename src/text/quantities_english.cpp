// A number is read by the first reader that matches. Each reader consumes at least the whole run of
// digits, so that no digit is examined more than a fixed number of times.

#include "text/quantities_english.h"

#include <array>
#include <cstdint>
#include <utility>

#include "text/numbers_english.h"
#include "text/special_numbers_english.h"
#include "text/units_english.h"
#include "text/years_english.h"

namespace myxtts::text {
namespace {

constexpr std::uint64_t kFirstPlainYear = 1100;
constexpr std::uint64_t kLastPlainYear = 2099;

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kIdioms = {{
    {"24/7", "twenty-four seven"},
    {"9/11", "nine eleven"},
}};

bool is_plain_year(const Amount& amount) {
  if (amount.grouped || !amount.decimals.empty() || amount.whole.size() != 4) return false;
  const std::uint64_t value = value_of_digits(amount.whole, 0);
  return value >= kFirstPlainYear && value <= kLastPlainYear;
}

std::string denominator_words(std::uint64_t denominator, bool singular) {
  if (denominator == 2) return singular ? "half" : "halves";
  if (denominator == 4) return singular ? "quarter" : "quarters";
  const std::string ordinal = ordinal_english(denominator);
  return singular ? ordinal : plural_english(ordinal);
}

// Reads a proper fraction of up to three digits such as "3/4". Other readers turn "7/5" into "seven
// slash five".
std::optional<Reading> read_fraction(std::u32string_view text, std::size_t at) {
  const std::size_t top = count_digits(text, at);
  if (top == 0 || top > 3 || char_at(text, at + top) != U'/') return std::nullopt;
  const std::size_t bottom_at = at + top + 1;
  const std::size_t bottom = count_digits(text, bottom_at);
  if (bottom == 0 || bottom > 3) return std::nullopt;
  const std::size_t length = bottom_at + bottom - at;
  if (char_at(text, at + length) == U'/' || is_letter(char_at(text, at + length))) {
    return std::nullopt;
  }
  const std::string written = to_ascii(text, at, length);
  for (const auto& [idiom, words] : kIdioms) {
    if (written == idiom) return Reading{length, std::string(words)};
  }
  const std::uint64_t numerator = value_of_digits(to_ascii(text, at, top), 0);
  const std::uint64_t denominator = value_of_digits(to_ascii(text, bottom_at, bottom), 0);
  if (numerator == 0 || numerator >= denominator) return std::nullopt;
  return Reading{
      length, cardinal_english(numerator) + ' ' + denominator_words(denominator, numerator == 1)};
}

// Reads "1 3/4" -> "one and three quarters", "2 1/2" -> "two and a half".
std::optional<Reading> read_mixed_number(std::u32string_view text, std::size_t at) {
  const std::size_t digits = count_digits(text, at);
  if (digits > 6 || char_at(text, at + digits) != U' ') return std::nullopt;
  const auto fraction = read_fraction(text, at + digits + 1);
  if (!fraction) return std::nullopt;
  std::string part = fraction->words;
  if (part.starts_with("one ")) part = "a " + part.substr(4);
  return Reading{digits + 1 + fraction->length,
                 integer_english(to_ascii(text, at, digits)) + " and " + part};
}

std::optional<Reading> read_ordinal(std::u32string_view text,
                                    std::size_t at,
                                    const Amount& amount) {
  const std::size_t end = at + amount.length;
  if (!amount.decimals.empty() || is_letter_or_digit(char_at(text, end + 2))) return std::nullopt;
  const std::string suffix = to_ascii(text, end, 2);
  if (suffix != "st" && suffix != "nd" && suffix != "rd" && suffix != "th") return std::nullopt;
  const std::uint64_t value = value_of_digits(amount.whole, kLargestCardinal + 1);
  if (value > kLargestCardinal) return std::nullopt;
  return Reading{amount.length + 2, ordinal_english(value)};
}

// Reads "1980s", "1980's", "80s".
std::optional<Reading> read_decade(std::u32string_view text, std::size_t at, const Amount& amount) {
  const std::size_t end = at + amount.length;
  const std::size_t digits = amount.length;
  const std::size_t ending = char_at(text, end) == U'\'' ? 2 : 1;
  if ((digits != 2 && digits != 4) || char_at(text, end + ending - 1) != U's') return std::nullopt;
  if (is_letter_or_digit(char_at(text, end + ending))) return std::nullopt;
  const std::uint64_t value = value_of_digits(amount.whole, 0);
  if (value % 10 != 0 || value == 0) return std::nullopt;
  return Reading{amount.length + ending, decade_english(value)};
}

// Reads "1.2.3" and "192.168.0.1" with "point" between the numbers.
std::optional<Reading> read_version(std::u32string_view text, std::size_t at) {
  std::size_t end = at;
  std::string words;
  int num_points = 0;
  while (true) {
    const std::size_t digits = count_digits(text, end);
    words += integer_english(to_ascii(text, end, digits));
    end += digits;
    if (char_at(text, end) != U'.' || !is_digit(char_at(text, end + 1))) break;
    words += " point ";
    ++num_points;
    ++end;
  }
  if (num_points < 2) return std::nullopt;
  return Reading{end - at, words};
}

// Reads the suffix of "10K" and "1.5M", but not of "4K" (resolution) or "401k" (savings plan).
std::optional<Reading> read_scale(std::u32string_view text, std::size_t at, const Amount& amount) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kScales = {{
      {"K", "thousand"},
      {"k", "thousand"},
      {"M", "million"},
      {"bn", "billion"},
      {"B", "billion"},
  }};
  if (amount.length < 2 || amount.whole == "401") return std::nullopt;
  for (const auto& [written, words] : kScales) {
    if (!matches_at(text, at, written)) continue;
    if (is_letter_or_digit(char_at(text, at + written.size()))) continue;
    return Reading{written.size(), std::string(words)};
  }
  return std::nullopt;
}

// Reads one number by its form and the characters that follow it.
Reading read_one_english(std::u32string_view text, std::size_t at) {
  const Amount amount = read_amount(text, at);
  const std::size_t end = at + amount.length;
  if (auto ordinal = read_ordinal(text, at, amount)) return *ordinal;
  if (auto decade = read_decade(text, at, amount)) return *decade;

  const std::string number = decimal_english(amount.whole, amount.decimals);
  const std::size_t sign_at = char_at(text, end) == U' ' ? end + 1 : end;
  if (char_at(text, sign_at) == U'%') return {sign_at + 1 - at, number + " percent"};
  if (const auto unit = read_unit(text, end, amount.is_one())) {
    return {amount.length + unit->length, number + ' ' + unit->words};
  }
  if (const auto scale = read_scale(text, end, amount)) {
    return {amount.length + scale->length, number + ' ' + scale->words};
  }
  if (is_plain_year(amount) && !counts_something(text, at, end))
    return {amount.length, year_english(value_of_digits(amount.whole, 0))};
  return {amount.length, number};
}

// True for the hyphen of a range such as "10-20".
bool is_range_dash(std::u32string_view text, std::size_t at) {
  return char_at(text, at) == U'-' && is_digit(char_at(text, at + 1));
}

}  // namespace

Amount read_amount(std::u32string_view text, std::size_t at) {
  Amount amount;
  std::size_t end = at + count_digits(text, at);
  amount.whole = to_ascii(text, at, end - at);
  if (!amount.whole.empty() && amount.whole.size() <= 3) {
    while (char_at(text, end) == U',' && count_digits(text, end + 1) == 3) {
      amount.whole += to_ascii(text, end + 1, 3);
      amount.grouped = true;
      end += 4;
    }
  }
  if (char_at(text, end) == U'.' && is_digit(char_at(text, end + 1))) {
    const std::size_t digits = count_digits(text, end + 1);
    amount.decimals = to_ascii(text, end + 1, digits);
    end += 1 + digits;
  }
  amount.length = end - at;
  return amount;
}

std::optional<Reading> read_telephone(std::u32string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 7> kForms = {"(ddd) ddd-dddd",
                                                             "(ddd)ddd-dddd",
                                                             "+d ddd ddd dddd",
                                                             "+d-ddd-ddd-dddd",
                                                             "d-ddd-ddd-dddd",
                                                             "ddd-ddd-dddd",
                                                             "ddd-dddd"};
  for (const std::string_view form : kForms) {
    std::string words;
    std::string group;
    bool fits = !is_digit(char_at(text, at + form.size()));
    for (std::size_t i = 0; fits && i < form.size(); ++i) {
      const char32_t c = char_at(text, at + i);
      fits = form[i] == 'd' ? is_digit(c) : c == static_cast<unsigned char>(form[i]);
      if (!fits) break;
      if (form[i] == 'd') group.push_back(static_cast<char>(c));
      if ((form[i] == 'd' && i + 1 < form.size()) || group.empty()) continue;
      words += (words.empty() ? "" : ", ") + spell_digits_english(group);
      group.clear();
    }
    if (!fits) continue;
    return Reading{form.size(), (form.front() == '+' ? "plus " : "") + words};
  }
  return std::nullopt;
}

Reading read_quantity(std::u32string_view text, std::size_t at) {
  if (auto mixed = read_mixed_number(text, at)) return *mixed;
  if (auto fraction = read_fraction(text, at)) return *fraction;
  if (auto version = read_version(text, at)) return *version;
  if (auto special = read_special_number(text, at)) return *special;

  Reading reading = read_one_english(text, at);
  if (!is_range_dash(text, at + reading.length)) return reading;
  const Reading second = read_one_english(text, at + reading.length + 1);
  const std::size_t end = at + reading.length + 1 + second.length;
  // Three or more numbers ("1-2-3") are a sequence or a code, without "to".
  const bool is_pair = !is_range_dash(text, end) && (at == 0 || text[at - 1] != U'-');
  return {end - at, reading.words + (is_pair ? " to " : " ") + second.words};
}

}  // namespace myxtts::text
