#include "text/special_numbers_english.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "text/numbers_english.h"
#include "text/quantities_english.h"

namespace myxtts::text {
namespace {

std::size_t skip_one_space(std::u32string_view text, std::size_t at) {
  return char_at(text, at) == U' ' ? at + 1 : at;
}

// Reads "10^6" -> "ten to the sixth", "1e-5" -> "one times ten to the minus five".
std::optional<Reading> read_power(std::u32string_view text, std::size_t at) {
  const Amount amount = read_amount(text, at);
  std::size_t end = at + amount.length;
  const char32_t sign = char_at(text, end);
  const bool scientific = sign == U'e' || sign == U'E';
  if (sign != U'^' && !scientific) return std::nullopt;
  ++end;
  const bool minus = char_at(text, end) == U'-';
  if (minus || char_at(text, end) == U'+') ++end;
  const std::size_t digits = count_digits(text, end);
  if (digits == 0 || digits > 3 || is_letter(char_at(text, end + digits))) return std::nullopt;
  const std::uint64_t exponent = value_of_digits(to_ascii(text, end, digits), 0);
  std::string words = decimal_english(amount.whole, amount.decimals);
  if (scientific) words += " times ten";
  words += minus ? " to the minus " + cardinal_english(exponent)
                 : " to the " + ordinal_english(exponent);
  return Reading{end + digits - at, words};
}

// Reads feet and inches: 6'2" -> "six foot two".
std::optional<Reading> read_height(std::u32string_view text, std::size_t at) {
  const std::size_t feet = count_digits(text, at);
  if (feet > 2 || char_at(text, at + feet) != U'\'') return std::nullopt;
  const std::size_t inches_at = skip_one_space(text, at + feet + 1);
  const std::size_t inches = count_digits(text, inches_at);
  const std::uint64_t value = value_of_digits(to_ascii(text, inches_at, inches), 99);
  std::size_t end = inches_at + inches;
  if (value > 11 || is_letter(char_at(text, end))) return std::nullopt;
  if (char_at(text, end) == U'"') ++end;
  return Reading{end - at,
                 integer_english(to_ascii(text, at, feet)) + " foot " + cardinal_english(value)};
}

// Reads the number in "call 911" digit by digit.
std::optional<Reading> read_emergency_number(std::u32string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 6> kNumbers = {
      "911", "112", "999", "411", "311", "988"};
  static constexpr std::array<std::string_view, 6> kBefore = {
      "call", "called", "calling", "dial", "dialed", "dialing"};
  const std::string digits = to_ascii(text, at, 3);
  const char32_t after = char_at(text, at + 3);
  if (is_letter_or_digit(after) || after == U'-' || !std::ranges::count(kNumbers, digits)) {
    return std::nullopt;
  }
  if (!std::ranges::count(kBefore, word_before(text, at))) return std::nullopt;
  return Reading{3, spell_digits_english(digits)};
}

}  // namespace

std::optional<Reading> read_special_number(std::u32string_view text, std::size_t at) {
  if (auto power = read_power(text, at)) return power;
  if (auto height = read_height(text, at)) return height;
  return read_emergency_number(text, at);
}

}  // namespace myxtts::text
