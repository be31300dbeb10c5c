#pragma once

#include <span>
#include <string>

namespace xtts::base {

// Values as a row of bars, one column each, at most `columns` wide; more values than columns become
// means of neighbours. The lowest bar is `low`, the highest `high`; what is not finite is a gap.
// `unicode` false: characters that every terminal has.
std::string sparkline(
    std::span<const double> values, std::size_t columns, double low, double high, bool unicode);

}  // namespace xtts::base
