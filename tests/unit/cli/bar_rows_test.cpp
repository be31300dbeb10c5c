#include "cli/bar_rows.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace myxtts::cli {
namespace {

std::string tenths(double value) {
  return fmt::format("{:.1f}", value);
}

TEST(BarRow, HasLabelValueBarsAndRange) {
  const BarRow row = {.label = "loss", .value = "0.8", .values = {0, 7, 3}, .format = tenths};

  EXPECT_EQ(format_row(row, 48, false), "loss        0.8      _#-    0.0 to 7.0");
}

TEST(BarRow, IsNotWiderThanItsColumns) {
  const BarRow row = {
      .label = "loss", .value = "0.8", .values = std::vector<double>(500, 1.0), .format = tenths};

  for (std::size_t columns = 50; columns <= 200; ++columns)
    EXPECT_LE(format_row(row, columns, false).size(), columns);
}

TEST(BarRow, WithoutValuesHasNoBars) {
  EXPECT_EQ(format_row({.label = "a", .value = "b", .values = {std::nan("")}}, 60, true),
            "a           b        ");
}

TEST(TruncateText, MarksCutTextWithATilde) {
  EXPECT_EQ(truncate_text("myxtts", 6), "myxtts");
  EXPECT_EQ(truncate_text("myxtts top", 6), "myxtt~");
  EXPECT_EQ(truncate_text("▇▇▇▇", 3), "▇▇~");
}

TEST(WrapText, BreaksBetweenWords) {
  EXPECT_EQ(wrap_text("one two three", 7), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(wrap_text("one two", 80), (std::vector<std::string>{"one two"}));
  EXPECT_EQ(wrap_text("", 80), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace myxtts::cli
