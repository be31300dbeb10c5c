// Text formatting that all commands share.
#pragma once

#include "corpus/histogram_text.h"

namespace myxtts::cli {

// Returns the width of the terminal, at most 100 columns, and block characters if the locale is
// UTF-8.
corpus::ChartStyle terminal_chart_style();

}  // namespace myxtts::cli
