#include "cli/output_style.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/terminal.h"

namespace myxtts::cli {
corpus::ChartStyle terminal_chart_style() {
  return {.width = std::min(100, base::terminal_width()), .unicode = base::locale_is_utf8()};
}

std::string format_count(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace myxtts::cli
