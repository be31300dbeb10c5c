// Formats numbers as American English words, without "and": "one hundred twenty-three".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace myxtts::text {

// Largest number with a cardinal; larger numbers are read digit by digit.
inline constexpr std::uint64_t kLargestCardinal = 1'000'000'000'000'000;  // one quadrillion

std::string cardinal_english(std::uint64_t number);  // at most kLargestCardinal
std::string ordinal_english(std::uint64_t number);   // at most kLargestCardinal

// 1998 "nineteen ninety-eight", 1900 "nineteen hundred", 1905 "nineteen oh five", 2005 "two
// thousand five", 2024 "twenty twenty-four". Numbers outside 1000..2099 are cardinals.
std::string year_english(std::uint64_t year);

// "1980s" -> "nineteen eighties", "80s" -> "eighties"; `decade` is a multiple of ten.
std::string decade_english(std::uint64_t decade);

// "007" -> "zero zero seven". All `digits` parameters of this file hold ASCII digits only.
std::string spell_digits_english(std::string_view digits);

// Returns a cardinal, or the digits one by one after a leading zero or beyond kLargestCardinal.
std::string integer_english(std::string_view digits);

// "3", "14" -> "three point one four". Without decimals returns the integer alone.
std::string decimal_english(std::string_view whole, std::string_view decimals);

// Returns the value of up to 18 digits, or `fallback` for more or none.
std::uint64_t value_of_digits(std::string_view digits, std::uint64_t fallback);

// "box" -> "boxes", "sixty" -> "sixties", "third" -> "thirds".
std::string plural_english(std::string word);

}  // namespace myxtts::text
