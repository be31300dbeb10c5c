// Numbers as Persian says them: parts joined by "o" (written as a word of its own).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xtts::text {

inline constexpr std::uint64_t kLargestCardinalPersian = 999'999'999'999'999;

std::string cardinal_persian(std::uint64_t number);  // at most kLargestCardinalPersian
std::string ordinal_persian(std::uint64_t number);   // "third": at most kLargestCardinalPersian

// Digit by digit. `digits` holds ASCII digits only, here and below.
std::string spell_digits_persian(std::string_view digits);

// A cardinal, or digit by digit when it has a leading zero or is too large.
std::string whole_persian(std::string_view digits);

// Up to two decimals without a leading zero are said as a number, others digit by digit.
std::string decimal_persian(std::string_view whole, std::string_view decimals);

}  // namespace xtts::text
