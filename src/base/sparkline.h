#pragma once

#include <span>
#include <string>

namespace myxtts::base {

// Draws values as a row of bars, one column each, at most `columns` wide. If there are more values
// than columns, a bar shows the mean of adjacent values. The lowest bar is `low`, the highest
// `high`; values that are not finite become gaps. Uses ASCII only if `unicode` is false.
std::string sparkline(
    std::span<const double> values, std::size_t columns, double low, double high, bool unicode);

}  // namespace myxtts::base
