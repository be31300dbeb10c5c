#include "base/svg.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/html_page.h"

namespace myxtts::base {
namespace {

// Sizes are in units of the view box. The page scales the plot to its column; with a width of 390
// units the labels stay readable on a phone.
constexpr double kWidth = 390.0;
constexpr double kHeight = 240.0;
constexpr double kLeft = 46.0;
constexpr double kRight = 380.0;
constexpr double kTop = 46.0;  // room for up to three rows of mark labels
constexpr double kBottom = 196.0;
constexpr double kLabelRow = 15.0;
constexpr double kLetterWidth = 8.0;
constexpr int kXTicks = 5;
constexpr int kYTicks = 4;

// Maps values to view box coordinates.
struct Scale {
  double x_low, x_high, y_high;
  double min_y_step = 0.0;  // 1 for counts
  double y_low = 0.0;

  double x(double value) const {
    return kLeft + (value - x_low) / (x_high - x_low) * (kRight - kLeft);
  }
  double y(double value) const {
    return kBottom - (value - y_low) / (y_high - y_low) * (kBottom - kTop);
  }
};

std::string open(std::string_view name) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                     kWidth,
                     kHeight,
                     escape_html(name));
}

// Formats a tick with as many decimals as the step needs.
std::string tick_label(double value, double step) {
  const int decimals = step >= 1.0 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string draw_axes(const Scale& scale, std::string_view x_label, std::string_view y_label) {
  std::string svg;
  const double y_step = std::max(scale.min_y_step, tick_step(scale.y_high - scale.y_low, kYTicks));
  for (auto i = static_cast<int>(std::ceil(scale.y_low / y_step - 1e-4));
       y_step * i <= scale.y_high + y_step * 1e-4;
       ++i) {
    const double y = scale.y(y_step * i);
    svg += fmt::format("<path class=\"rule\" d=\"M{} {:.1f}H{}\"/>", kLeft, y, kRight);
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       kLeft - 6,
                       y + 4,
                       tick_label(y_step * i, y_step));
  }
  const double x_step = tick_step(scale.x_high - scale.x_low, kXTicks);
  const auto first = static_cast<long>(std::ceil(scale.x_low / x_step));
  const auto last = static_cast<long>(std::floor(scale.x_high / x_step + 1e-9));
  for (long i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * x_step;
    const double x = scale.x(value);
    svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {}v5\"/>", x, kBottom);
    const std::string label = tick_label(value, x_step);
    const double half = kLetterWidth * static_cast<double>(label.size()) / 2;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       std::min(x, kWidth - half),
                       kBottom + 18,
                       label);
  }
  svg +=
      fmt::format("<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>\n", kLeft, kTop, kBottom, kRight);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                     kRight,
                     kHeight - 6,
                     escape_html(x_label));
  svg += fmt::format("<text x=\"2\" y=\"12\">{}</text>\n", escape_html(y_label));
  return svg;
}

// Draws marks. A label takes the first row in which it does not overlap the previous label.
std::string draw_marks(const Scale& scale, std::vector<PlotMark> marks) {
  std::ranges::sort(marks, {}, &PlotMark::at);
  std::vector<double> row_ends(3, 0.0);
  std::string lines;
  std::string labels;  // drawn over all lines
  for (const PlotMark& mark : marks) {
    const double x = scale.x(mark.at);
    if (x < kLeft - 0.5 || x > kRight + 0.5) continue;
    const double width = kLetterWidth * static_cast<double>(mark.label.size());
    const double start = std::clamp(x - width / 2, kLeft, kWidth - width);
    std::size_t row = 0;
    while (row + 1 < row_ends.size() && start < row_ends[row])
      ++row;
    row_ends[row] = start + width + 8;
    const double baseline = kTop - 6 - kLabelRow * static_cast<double>(row);
    lines +=
        fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}V{}\"/>", x, baseline + 3, kBottom);
    labels += fmt::format("<text class=\"mark-label\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                          start,
                          baseline,
                          escape_html(mark.label));
  }
  return lines + labels;
}

std::string path_of(const Scale& scale, const std::vector<std::pair<double, double>>& points) {
  std::string path;
  for (const auto& [x, y] : points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", scale.x(x), scale.y(y));
  }
  return path;
}

// Returns the scale that covers all points, rounded outwards to whole ticks in y.
Scale scale_over(const std::vector<PlotSeries>& series, double min_y_step) {
  double x_low = HUGE_VAL, x_high = -HUGE_VAL, y_low = HUGE_VAL, y_high = -HUGE_VAL;
  for (const PlotSeries& one : series) {
    for (const auto& [x, y] : one.points) {
      x_low = std::min(x_low, x);
      x_high = std::max(x_high, x);
      y_low = std::min(y_low, y);
      y_high = std::max(y_high, y);
    }
  }
  if (x_low > x_high) return {0.0, 1.0, 1.0};
  const double step =
      std::max(min_y_step, tick_step(y_high > y_low ? y_high - y_low : 1.0, kYTicks));
  y_low = std::floor(y_low / step) * step;
  y_high = std::max(y_low + step, std::ceil(y_high / step) * step);
  return {x_low, x_high > x_low ? x_high : x_low + 1.0, y_high, min_y_step, y_low};
}

}  // namespace

double tick_step(double span, int wanted) {
  const double raw = span / std::max(1, wanted);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999) return factor * power;
  }
  return 10.0 * power;
}

std::string histogram_svg(const HistogramPlot& plot) {
  const auto num_bins = static_cast<double>(std::max<std::size_t>(1, plot.counts.size()));
  const std::size_t highest =
      plot.counts.empty() ? 1 : std::max<std::size_t>(1, *std::ranges::max_element(plot.counts));
  const Scale scale{
      plot.lower, plot.lower + num_bins * plot.bin_width, static_cast<double>(highest) * 1.05, 1.0};

  std::string svg = open(plot.name);
  svg += draw_axes(scale, plot.x_label, plot.y_label);
  for (std::size_t i = 0; i < plot.counts.size(); ++i) {
    if (plot.counts[i] == 0) continue;
    const double from = plot.lower + static_cast<double>(i) * plot.bin_width;
    const double left = scale.x(from);
    const double right = scale.x(from + plot.bin_width);
    const double top = scale.y(static_cast<double>(plot.counts[i]));
    svg += fmt::format(
        "<rect class=\"bar\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\">"
        "<title>{} to {}: {}</title></rect>\n",
        left + 0.4,
        top,
        std::max(0.5, right - left - 0.8),
        kBottom - top,
        from,
        from + plot.bin_width - 1,
        plot.counts[i]);
  }
  svg += draw_marks(scale, plot.marks);
  return svg + "</svg>\n";
}

std::string line_svg(const LinePlot& plot) {
  const double x_low = plot.points.empty() ? 0.0 : plot.points.front().first;
  const double x_high = plot.points.empty() ? 1.0 : plot.points.back().first;
  const Scale scale{
      x_low, x_high > x_low ? x_high : x_low + 1.0, plot.y_max > 0.0 ? plot.y_max : 1.0};

  std::string svg = open(plot.name);
  svg += draw_axes(scale, plot.x_label, plot.y_label);
  const std::string path = path_of(scale, plot.points);
  if (!path.empty()) svg += fmt::format("<path class=\"line\" d=\"{}\"/>\n", path);
  svg += draw_marks(scale, plot.marks);
  return svg + "</svg>\n";
}

std::string series_svg(const SeriesPlot& plot) {
  constexpr double kLegendStroke = 22.0;
  const Scale scale = scale_over(plot.series, plot.min_y_step);
  std::string svg = open(plot.name);
  svg += draw_axes(scale, plot.x_label, plot.y_label);
  double legend_x = kLeft;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& one = plot.series[i];
    const char* kind = i == 0 ? "line" : "line second";
    const std::string path = path_of(scale, one.points);
    if (!path.empty()) svg += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, path);
    if (one.label.empty()) continue;
    svg += fmt::format("<path class=\"{}\" d=\"M{:.1f} {}h{}\"/>",
                       kind,
                       legend_x,
                       kTop - kLabelRow,
                       kLegendStroke);
    legend_x += kLegendStroke + 6;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
                       legend_x,
                       kTop - kLabelRow + 4,
                       escape_html(one.label));
    legend_x += kLetterWidth * static_cast<double>(one.label.size()) + 14;
  }
  return svg + "</svg>\n";
}

}  // namespace myxtts::base
