#include "corpus/histogram_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace myxtts::corpus {
namespace {

constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

// Returns a bar of `length` >= 0 columns. A nonzero length is rounded up, so that a single outlier
// is visible.
std::string bar(double length, bool unicode) {
  if (!unicode) return std::string(static_cast<std::size_t>(std::ceil(length)), '#');
  const auto eighths = static_cast<std::size_t>(std::ceil(length * 8.0));
  std::string blocks;
  for (std::size_t i = 0; i < eighths / 8; ++i)
    blocks += "█";
  return blocks.append(kEighths[eighths % 8]);
}

std::string label_of(const Histogram& histogram, std::size_t bin) {
  const std::int64_t first = histogram.lower + static_cast<std::int64_t>(bin) * histogram.bin_width;
  if (histogram.bin_width == 1) return fmt::format("{}", first);
  return fmt::format("{}-{}", first, first + histogram.bin_width - 1);
}

}  // namespace

std::string draw_histogram(const Histogram& histogram, const ChartStyle& style) {
  constexpr int kMinWidth = 40;
  if (histogram.counts.empty()) return "";
  const std::size_t largest = std::max<std::size_t>(1, std::ranges::max(histogram.counts));
  const std::size_t label_width = label_of(histogram, histogram.counts.size() - 1).size();
  const std::size_t count_width = fmt::formatted_size("{}", largest);
  const auto width = static_cast<std::size_t>(std::max(kMinWidth, style.width));
  const std::size_t fixed_width = 2 + label_width + 2 + 1 + count_width;
  const double max_bar = static_cast<double>(width > fixed_width + 4 ? width - fixed_width : 4);

  std::string chart;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double share = static_cast<double>(histogram.counts[i]) / static_cast<double>(largest);
    chart += fmt::format("  {:>{}} {}{} {}\n",
                         label_of(histogram, i),
                         label_width,
                         style.unicode ? "│" : "|",
                         bar(share * max_bar, style.unicode),
                         histogram.counts[i]);
  }
  return chart;
}

}  // namespace myxtts::corpus
