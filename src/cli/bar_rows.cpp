#include "cli/bar_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/sparkline.h"
#include "base/utf8.h"

namespace myxtts::cli {
namespace {

constexpr std::size_t kValueColumns = 9;
constexpr std::size_t kRangeColumns = 22;  // "  0.5723 to 12.9381" and a margin

}  // namespace

Range range_of(std::span<const double> values) {
  Range range;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

std::size_t bar_columns(std::size_t columns) {
  return columns - std::min(columns, kLabelColumns + kValueColumns + kRangeColumns);
}

std::string format_row(const BarRow& row, std::size_t columns, bool unicode) {
  std::string text =
      fmt::format("{:<{}}{:<{}}", row.label, kLabelColumns, row.value, kValueColumns);
  const Range range = range_of(row.values);
  if (range.is_empty()) return text;
  const std::size_t room = bar_columns(columns);
  text += base::sparkline(
      row.values, room, row.low.value_or(range.low), row.high.value_or(range.high), unicode);
  const std::size_t blank = room - std::min(room, row.values.size());
  return text +
         fmt::format("{:{}}  {} to {}", "", blank, row.format(range.low), row.format(range.high));
}

std::string truncate_text(const std::string& text, std::size_t columns) {
  if (base::display_width(text) <= columns) return text;
  std::u32string letters = base::decode_utf8(text);
  letters.resize(columns - 1);
  return base::encode_utf8(letters) + "~";
}

std::vector<std::string> wrap_pieces(const std::vector<std::string>& pieces,
                                     std::size_t columns,
                                     const std::string& gap) {
  std::vector<std::string> lines;
  for (const std::string& piece : pieces) {
    const std::string addition = gap + piece;
    if (lines.empty()) {
      lines.push_back(piece);
    } else if (base::display_width(lines.back()) + base::display_width(addition) <= columns) {
      lines.back() += addition;
    } else {
      lines.push_back("  " + piece);
    }
  }
  return lines;
}

std::vector<std::string> wrap_text(const std::string& text, std::size_t columns) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return wrap_pieces(words, columns, " ");
}

}  // namespace myxtts::cli
