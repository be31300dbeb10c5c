// Dates, times of day and telephone numbers as Persian says them.
#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace xtts::text {

// At a digit: year/month/day, year-month-day and day/month/year. Years from 1200 to 1499 have the
// Persian months, those from 1800 to 2099 the Gregorian ones.
std::optional<Reading> read_date_persian(std::u32string_view text, std::size_t at);

// At a digit: 10:30, 10:30:05, and two of them with a hyphen between.
std::optional<Reading> read_time_persian(std::u32string_view text, std::size_t at);

// At a zero or at "+98": 10 or 11 digits (12 with the country), in groups that hyphens or spaces
// part; digit by digit, with a comma between the groups.
std::optional<Reading> read_telephone_persian(std::u32string_view text, std::size_t at);

}  // namespace xtts::text
