#include "cli/bar_rows.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace xtts::cli {
namespace {

std::string tenths(double value) {
  return fmt::format("{:.1f}", value);
}

TEST(BarRow, HasLabelValueBarsAndRange) {
  const BarRow row = {.label = "loss", .value = "0.8", .values = {0, 7, 3}, .words = tenths};

  EXPECT_EQ(text_of(row, 48, false), "loss        0.8      _#-    0.0 to 7.0");
}

TEST(BarRow, KeepsWithinItsColumns) {
  const BarRow row = {
      .label = "loss", .value = "0.8", .values = std::vector<double>(500, 1.0), .words = tenths};

  for (std::size_t columns = 50; columns <= 200; ++columns)
    EXPECT_LE(text_of(row, columns, false).size(), columns);
}

TEST(BarRow, WithoutValuesHasNoBars) {
  EXPECT_EQ(text_of({.label = "a", .value = "b", .values = {std::nan("")}}, 60, true),
            "a           b        ");
}

TEST(Fitted, CutsAndSaysSo) {
  EXPECT_EQ(fitted("myxtts", 6), "myxtts");
  EXPECT_EQ(fitted("myxtts top", 6), "myxtt~");
  EXPECT_EQ(fitted("▇▇▇▇", 3), "▇▇~");
}

TEST(Wrapped, CutsBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(wrapped("one two", 80), (std::vector<std::string>{"one two"}));
  EXPECT_EQ(wrapped("", 80), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace xtts::cli
