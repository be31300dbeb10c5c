// How answers to people look, the same in every verb.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "corpus/histogram_text.h"

namespace xtts::cli {

// As wide as the terminal, up to 100 columns; block characters when the locale speaks UTF-8.
corpus::ChartStyle terminal_chart_style();

// "1 utterance", "2 utterances".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace xtts::cli
