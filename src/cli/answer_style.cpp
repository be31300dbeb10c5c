#include "cli/answer_style.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/terminal.h"

namespace xtts::cli {
namespace {

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale(value);
    return locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

corpus::ChartStyle terminal_chart_style() {
  return {.width = std::min(100, base::terminal_width()), .unicode = speaks_utf8()};
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace xtts::cli
