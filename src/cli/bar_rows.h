// Lines of a page in the terminal: rows with bars, and text that keeps within its columns.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xtts::cli {

inline constexpr std::size_t kLabelColumns = 12;  // what a row begins with

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return low > high; }
};

Range range_of(std::span<const double> values);  // of the finite ones

// "loss        0.8123   ▇▇▆▅▅▄▄▃  0.81 to 1.92".
struct BarRow {
  std::string label;
  std::string value;
  std::vector<double> values = {};                // what is not finite leaves a gap
  std::function<std::string(double)> words = {};  // for the ends of their range
  std::optional<double> low = {};                 // of the scale; absent: the lowest value
  std::optional<double> high = {};                // alike
};

// Without finite values it is label and value alone.
std::string text_of(const BarRow& row, std::size_t columns, bool unicode);

// Columns that such a row has for its bars.
std::size_t bar_columns(std::size_t columns);

// At most so many columns, at least 2; what is cut ends with a tilde. `text` is UTF-8.
std::string fitted(const std::string& text, std::size_t columns);

// Pieces one after the other with a gap between them, as many to a line as fit; the lines after the
// first begin with two spaces.
std::vector<std::string> flowed(const std::vector<std::string>& pieces,
                                std::size_t columns,
                                const std::string& gap);

// The same with the words of a sentence.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns);

}  // namespace xtts::cli
