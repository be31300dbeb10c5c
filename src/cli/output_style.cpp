#include "cli/output_style.h"

#include <algorithm>

#include "base/terminal.h"

namespace myxtts::cli {
corpus::ChartStyle terminal_chart_style() {
  return {.width = std::min(100, base::terminal_width()), .unicode = base::locale_is_utf8()};
}

}  // namespace myxtts::cli
