// Reads dates, times of day and telephone numbers in Persian.
#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// Reads a date at a digit: year/month/day, year-month-day or day/month/year. Years from 1200 to
// 1499 have Persian months, years from 1800 to 2099 Gregorian ones.
std::optional<Reading> read_date_persian(std::u32string_view text, std::size_t at);

// Reads a time at a digit: 10:30, 10:30:05, or a range of two times with a hyphen.
std::optional<Reading> read_time_persian(std::u32string_view text, std::size_t at);

// Reads a telephone number at a zero or at "+98" digit by digit: 10 or 11 digits (12 with the
// country code) in groups separated by hyphens or spaces. The output has a comma between the
// groups.
std::optional<Reading> read_telephone_persian(std::u32string_view text, std::size_t at);

}  // namespace myxtts::text
