// SVG plots for embedding in HTML pages.
//
// Colours and fonts come from the page's style (classes axis, rule, bar, line, second, mark), so
// that a plot follows the light or dark scheme. Labels are escaped.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace myxtts::base {

// A dashed vertical line at a value of the x axis, labelled at the top.
struct PlotMark {
  double at = 0.0;
  std::string label;
};

struct HistogramPlot {
  std::string name;  // for screen readers
  std::string x_label;
  std::string y_label;
  double lower = 0.0;      // left edge of the first bin
  double bin_width = 1.0;  // > 0
  std::vector<std::size_t> counts;
  std::vector<PlotMark> marks;
};

struct LinePlot {
  std::string name;
  std::string x_label;
  std::string y_label;
  std::vector<std::pair<double, double>> points;  // x ascending
  double y_max = 1.0;                             // the y axis runs from 0 to this
  std::vector<PlotMark> marks;
};

struct PlotSeries {
  std::string label;
  std::vector<std::pair<double, double>> points;  // x ascending, all finite
};

// Up to two curves with a legend. The second curve is dashed and has another colour. The axes cover
// the range of the points.
struct SeriesPlot {
  std::string name;
  std::string x_label;
  std::string y_label;
  std::vector<PlotSeries> series;
  double min_y_step = 0.0;  // between two ticks; 1 for counts
};

// Draw a plot. Empty input gives an empty frame with axes.
std::string histogram_svg(const HistogramPlot& plot);
std::string line_svg(const LinePlot& plot);
std::string series_svg(const SeriesPlot& plot);

// Returns a step of 1, 2 or 5 times a power of ten, so that about `wanted` steps fit into `span` >
// 0.
double tick_step(double span, int wanted);

}  // namespace myxtts::base
