// Text formatting that all commands share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "corpus/histogram_text.h"

namespace myxtts::cli {

// Returns the width of the terminal, at most 100 columns, and block characters if the locale is
// UTF-8.
corpus::ChartStyle terminal_chart_style();

// Returns "1 utterance" or "2 utterances".
std::string format_count(std::size_t count, std::string_view noun);

}  // namespace myxtts::cli
