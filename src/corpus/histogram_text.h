// Draws histograms as text for the terminal.
#pragma once

#include <string>

#include "corpus/statistics.h"

namespace myxtts::corpus {

struct ChartStyle {
  int width = 80;       // maximum line length in columns, at least 40
  bool unicode = true;  // block characters; false: '#'
};

// Returns one line per bin, "  40-59 |######### 123\n"; "" for an empty histogram.
std::string draw_histogram(const Histogram& histogram, const ChartStyle& style);

}  // namespace myxtts::corpus
