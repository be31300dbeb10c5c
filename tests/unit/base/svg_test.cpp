#include "base/svg.h"

#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

HistogramPlot three_bins() {
  HistogramPlot plot;
  plot.name = "lengths";
  plot.lower = 10;
  plot.bin_width = 10;
  plot.counts = {4, 0, 8};
  return plot;
}

TEST(Svg, DrawsOneBarPerFilledBin) {
  const std::string svg = histogram_svg(three_bins());

  EXPECT_EQ(count_of(svg, "class=\"bar\""), 2U);
  EXPECT_NE(svg.find("<title>10 to 19: 4</title>"), std::string::npos);
  EXPECT_NE(svg.find("<title>30 to 39: 8</title>"), std::string::npos);
}

TEST(Svg, BarHeightIsProportionalToTheCount) {
  const std::string svg = histogram_svg(three_bins());

  const auto height_of_bar = [&](std::string_view title) {
    const std::size_t end = svg.rfind("height=\"", svg.find(title));
    return std::stod(svg.substr(end + 8));
  };
  EXPECT_NEAR(height_of_bar("30 to 39: 8") / height_of_bar("10 to 19: 4"), 2.0, 0.01);
}

TEST(Svg, OmitsMarksOutsideTheAxis) {
  HistogramPlot plot = three_bins();
  plot.marks = {{35, "p95"}, {400, "far"}};

  const std::string svg = histogram_svg(plot);

  EXPECT_NE(svg.find(">p95<"), std::string::npos);
  EXPECT_EQ(svg.find(">far<"), std::string::npos);
}

TEST(Svg, CollidingMarkLabelsUseDifferentRows) {
  HistogramPlot plot = three_bins();
  plot.marks = {{30, "p95"}, {31, "p99"}};

  const std::string svg = histogram_svg(plot);

  const auto row_of = [&](std::string_view label) {
    const std::size_t at = svg.rfind(" y=\"", svg.find(label));
    return std::stod(svg.substr(at + 4));
  };
  EXPECT_GT(row_of(">p95<") - row_of(">p99<"), 10.0);
}

TEST(Svg, EscapesLabels) {
  HistogramPlot plot = three_bins();
  plot.name = "\"><script>";
  plot.x_label = "<x>";
  plot.marks = {{20, "<m>"}};

  const std::string svg = histogram_svg(plot);

  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg.find("<x>"), std::string::npos);
  EXPECT_EQ(svg.find("<m>"), std::string::npos);
}

TEST(Svg, EmptyInputGivesAnEmptyFrame) {
  for (const std::string& svg : {histogram_svg({}), line_svg({}), series_svg({})}) {
    EXPECT_NE(svg.find("class=\"axis\""), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Svg, LineStartsAndEndsAtTheEdges) {
  LinePlot plot;
  plot.points = {{100, 0}, {200, 50}, {300, 100}};
  plot.y_max = 100;

  const std::string svg = line_svg(plot);

  EXPECT_NE(svg.find("d=\"M46.0 196.0L213.0 121.0L380.0 46.0\""), std::string::npos) << svg;
}

TEST(SeriesSvg, CountsHaveIntegerTicks) {
  SeriesPlot plot;
  plot.series = {{.label = "ready", .points = {{1, 0}, {2, 0}, {3, 0}}}};
  EXPECT_NE(series_svg(plot).find(">0.2<"), std::string::npos);

  plot.min_y_step = 1.0;
  EXPECT_EQ(series_svg(plot).find(">0.2<"), std::string::npos);
  EXPECT_NE(series_svg(plot).find(">1<"), std::string::npos);
}

SeriesPlot two_curves() {
  SeriesPlot plot;
  plot.series = {{"training", {{0, 4.0}, {10, 2.0}}}, {"validation", {{5, 3.0}, {10, 2.5}}}};
  return plot;
}

TEST(Svg, CurvesShareOneScaleOverAllPoints) {
  const std::string svg = series_svg(two_curves());

  EXPECT_NE(svg.find("<path class=\"line\" d=\"M46.0 46.0L380.0 196.0\"/>"), std::string::npos)
      << svg;
  EXPECT_NE(svg.find("<path class=\"line second\" d=\"M213.0 121.0L380.0 158.5\"/>"),
            std::string::npos)
      << svg;
}

TEST(Svg, LegendListsTheCurvesSideBySide) {
  const std::string svg = series_svg(two_curves());

  const auto left_edge = [&](std::string_view label) {
    const std::size_t at = svg.rfind("<text x=\"", svg.find(label));
    return std::stod(svg.substr(at + 9));
  };
  EXPECT_GT(left_edge(">validation<"), left_edge(">training<") + 50.0);
}

TEST(Svg, FlatAndSinglePointCurvesHaveAScale) {
  SeriesPlot plot;
  for (const std::vector<std::pair<double, double>>& points :
       {std::vector<std::pair<double, double>>{{3, 1.5}},
        std::vector<std::pair<double, double>>{{1, -2.0}, {2, -2.0}}}) {
    plot.series = {{"", points}};
    const std::string svg = series_svg(plot);
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    EXPECT_NE(svg.find("class=\"line\""), std::string::npos);
  }
}

TEST(Svg, TicksAreRound) {
  EXPECT_DOUBLE_EQ(tick_step(100, 5), 20);
  EXPECT_DOUBLE_EQ(tick_step(833, 5), 200);
  EXPECT_DOUBLE_EQ(tick_step(1, 4), 0.5);
  EXPECT_DOUBLE_EQ(tick_step(7, 7), 1);
}

}  // namespace
}  // namespace myxtts::base
