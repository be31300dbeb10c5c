// Reads English quantities: numbers, decimals, percent, units, fractions, ranges, ordinals, decades
// and telephone numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// A written number: "1,234.50" is {whole "1234", decimals "50", grouped}.
struct Amount {
  std::size_t length = 0;  // in characters; 0 if there is no number
  std::string whole;       // ASCII digits; empty for ".5"
  std::string decimals;
  bool grouped = false;  // had thousands separators

  bool is_one() const { return whole == "1" && decimals.empty(); }
};

Amount read_amount(std::u32string_view text, std::size_t at);

// Reads "(555) 123-4567", "555-123-4567", "+1 555 123 4567" digit by digit, with commas between
// groups.
std::optional<Reading> read_telephone(std::u32string_view text, std::size_t at);

// Reads a quantity at a digit or at a point before a digit. Consumes at least the run of digits. A
// plain number from 1100 to 2099 is read as a year unless it counts something (years_english.h).
Reading read_quantity(std::u32string_view text, std::size_t at);

}  // namespace myxtts::text
