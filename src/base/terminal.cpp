#include "base/terminal.h"

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace xtts::base {
namespace {

bool is_live(int descriptor) {
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

bool stderr_is_terminal() {
  return is_live(STDERR_FILENO);
}
bool stdout_is_terminal() {
  return is_live(STDOUT_FILENO);
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace xtts::base
