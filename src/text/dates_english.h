// Dates and times of day as American English says them.
#pragma once

#include <optional>
#include <string_view>

#include "text/reading.h"

namespace xtts::text {

// At a digit: "1998-05-03", "1998/5/3", "05/03/1998" (month first unless it cannot be), "on 5/3",
// "12/25" (but "3/4" is a fraction), "3 May" ("the third of May"). The year of "3 May 1998" is left
// to the reading of plain numbers.
std::optional<Reading> read_date(std::u32string_view text, std::size_t at);

// At a capital letter: "May 3", "Jan. 5th" -> "May third", "January fifth".
std::optional<Reading> read_month_and_day(std::u32string_view text, std::size_t at);

// At a digit: "3:05", "10:30 pm", "12:00", "1:02:03", "3pm", "9:00-17:00", "3-5 pm"; "00:00" is
// midnight.
std::optional<Reading> read_time(std::u32string_view text, std::size_t at);

}  // namespace xtts::text
