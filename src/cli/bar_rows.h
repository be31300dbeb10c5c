// Formats terminal lines: rows with bar charts, and text wrapped or cut to a width.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace myxtts::cli {

inline constexpr std::size_t kLabelColumns = 12;  // width of a row's label

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return low > high; }
};

// Returns the range of the finite values.
Range range_of(std::span<const double> values);

// A row such as "loss        0.8123   ▇▇▆▅▅▄▄▃  0.81 to 1.92".
struct BarRow {
  std::string label;
  std::string value;
  std::vector<double> values = {};                 // values that are not finite leave a gap
  std::function<std::string(double)> format = {};  // formats the ends of the range
  std::optional<double> low = {};                  // lower end of the scale; absent: the minimum
  std::optional<double> high = {};                 // upper end of the scale; absent: the maximum
};

// Formats a row. Without finite values the row has only its label and value.
std::string format_row(const BarRow& row, std::size_t columns, bool unicode);

// Returns the number of columns that a row of this width has for bars.
std::size_t bar_columns(std::size_t columns);

// Cuts UTF-8 text to at most `columns` columns (at least 2). Cut text ends with a tilde.
std::string truncate_text(const std::string& text, std::size_t columns);

// Joins pieces with gaps into lines of at most `columns` columns. Lines after the first start with
// two spaces.
std::vector<std::string> wrap_pieces(const std::vector<std::string>& pieces,
                                     std::size_t columns,
                                     const std::string& gap);

// Wraps a sentence between words as wrap_pieces() does.
std::vector<std::string> wrap_text(const std::string& text, std::size_t columns);

}  // namespace myxtts::cli
