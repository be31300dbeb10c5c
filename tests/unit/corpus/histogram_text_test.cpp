#include "corpus/histogram_text.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace myxtts::corpus {
namespace {

std::vector<std::string> lines_of_chart(const std::string& chart) {
  std::vector<std::string> lines;
  std::istringstream stream(chart);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

Histogram four_bins() {
  return {.lower = 80, .bin_width = 20, .counts = {1, 0, 50, 100}};
}

TEST(DrawHistogram, AsciiBarsAreProportional) {
  const auto lines = lines_of_chart(draw_histogram(four_bins(), {.width = 60, .unicode = false}));

  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "    80-99 |# 1");
  EXPECT_EQ(lines[1], "  100-119 | 0");
  const auto full = std::ranges::count(lines[3], '#');
  EXPECT_EQ(std::ranges::count(lines[2], '#'), (full + 1) / 2);
  EXPECT_EQ(lines[3].size(), 60U);
}

TEST(DrawHistogram, LinesFitTheWidth) {
  for (const bool unicode : {false, true}) {
    for (int width = 40; width < 200; width += 7) {
      for (const std::string& line : lines_of_chart(draw_histogram(four_bins(), {width, unicode})))
        EXPECT_LE(base::display_width(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(DrawHistogram, AsciiStyleUsesOnlyAscii) {
  const std::string chart = draw_histogram(four_bins(), {.width = 80, .unicode = false});

  EXPECT_TRUE(std::ranges::all_of(chart, [](char letter) { return letter > 0; }));
}

TEST(DrawHistogram, ShowsASingleOutlier) {
  const Histogram outlier{.lower = 0, .bin_width = 1, .counts = {100'000, 1}};

  const auto lines = lines_of_chart(draw_histogram(outlier, {.width = 60, .unicode = true}));

  EXPECT_NE(lines[1].find("▏ 1"), std::string::npos) << lines[1];
}

TEST(DrawHistogram, EmptyHistogramGivesNoText) {
  EXPECT_EQ(draw_histogram({}, {}), "");
}

}  // namespace
}  // namespace myxtts::corpus
