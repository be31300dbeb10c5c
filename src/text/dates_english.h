// Reads dates and times of day in American English.
#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

// Reads a date at a digit: "1998-05-03", "1998/5/3", "05/03/1998" (month first unless impossible),
// "on 5/3", "12/25" (but "3/4" is a fraction), "3 May" ("the third of May"). The year of
// "3 May 1998" is read separately as a plain number.
std::optional<Reading> read_date(std::u32string_view text, std::size_t at);

// Reads a date at a month name: "May 3", "Jan. 5th" -> "May third", "January fifth".
std::optional<Reading> read_month_and_day(std::u32string_view text, std::size_t at);

// Reads a time at a digit: "3:05", "10:30 pm", "12:00", "1:02:03", "3pm", "9:00-17:00", "3-5 pm";
// "00:00" is midnight.
std::optional<Reading> read_time(std::u32string_view text, std::size_t at);

}  // namespace myxtts::text
