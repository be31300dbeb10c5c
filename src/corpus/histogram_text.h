#pragma once

#include <string>

#include "corpus/statistics.h"

namespace xtts::corpus {

struct ChartStyle {
  int width = 80;       // columns of the terminal; lines are never wider, down to 40
  bool unicode = true;  // bars of block characters with eighths; false: '#'
};

// One line per bin, "  40-59  |#########  123", each ending in a newline; "" for no lengths.
std::string draw_histogram(const Histogram& histogram, const ChartStyle& style);

}  // namespace xtts::corpus
