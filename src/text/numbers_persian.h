// Formats numbers as Persian words; the parts are joined by "o", a separate word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace myxtts::text {

inline constexpr std::uint64_t kLargestCardinalPersian = 999'999'999'999'999;

std::string cardinal_persian(std::uint64_t number);  // at most kLargestCardinalPersian
std::string ordinal_persian(std::uint64_t number);   // "third": at most kLargestCardinalPersian

// Reads digit by digit. All `digits` parameters of this file hold ASCII digits only.
std::string spell_digits_persian(std::string_view digits);

// Returns a cardinal, or the digits one by one after a leading zero or if the number is too large.
std::string integer_persian(std::string_view digits);

// Reads up to two decimals without a leading zero as a number, others digit by digit.
std::string decimal_persian(std::string_view whole, std::string_view decimals);

}  // namespace myxtts::text
