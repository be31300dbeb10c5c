#include "base/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace myxtts::base {
namespace {

constexpr std::array<std::string_view, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> kAsciiBars = {"_", ".", ":", "-", "=", "+", "*", "#"};

// Returns the mean of the finite values, NaN if there is none.
double mean_of_finite(std::span<const double> values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0.0 ? sum / count : std::nan("");
}

std::string_view bar_of(double value, double low, double high, bool unicode) {
  if (!std::isfinite(value)) return " ";
  const auto& bars = unicode ? kBars : kAsciiBars;
  const double share = high > low ? (value - low) / (high - low) : 0.0;
  const double level = std::clamp(share, 0.0, 1.0) * static_cast<double>(bars.size() - 1);
  return bars[static_cast<std::size_t>(std::lround(level))];
}

}  // namespace

std::string sparkline(
    std::span<const double> values, std::size_t columns, double low, double high, bool unicode) {
  const std::size_t shown = std::min(columns, values.size());
  std::string line;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t begin = i * values.size() / shown;
    const std::size_t end = (i + 1) * values.size() / shown;
    line += bar_of(mean_of_finite(values.subspan(begin, end - begin)), low, high, unicode);
  }
  return line;
}

}  // namespace myxtts::base
