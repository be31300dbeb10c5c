#include "base/terminal.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace myxtts::base {
namespace {

// Moves to the first column and erases the line.
constexpr std::string_view kEraseLine = "\r\x1b[K";

struct LiveLine {
  std::mutex mutex;
  std::string text;   // guarded by mutex
  int num_quiet = 0;  // guarded by mutex; number of QuietTerminal objects
};

LiveLine& live_line() {
  static LiveLine line;
  return line;
}

// Flushes standard output first, so that both streams, redirected into one file, keep the order in
// which they were written.
void write(std::string_view text) {
  static_cast<void>(std::fflush(stdout));
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

bool is_live(int descriptor) {
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

bool stderr_is_terminal() {
  return is_live(STDERR_FILENO);
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") != std::string_view::npos ||
           locale.find("utf8") != std::string_view::npos;
  }
  return false;
}

void write_log(std::string_view text) {
  LiveLine& live = live_line();
  const std::scoped_lock lock(live.mutex);
  if (live.num_quiet > 0) return;
  if (live.text.empty()) return write(text);
  // A single write, so that the terminal never shows a frame without the status line.
  write(fmt::format("{}{}{}", kEraseLine, text, text.ends_with('\n') ? live.text : ""));
}

void show_live_line(std::string_view line) {
  if (!stderr_is_terminal()) return;
  LiveLine& live = live_line();
  const std::scoped_lock lock(live.mutex);
  if (live.num_quiet > 0) return;
  if (line.empty() && live.text.empty()) return;
  write(fmt::format("{}{}", kEraseLine, line));
  live.text = line;
}

QuietTerminal::QuietTerminal() {
  const std::scoped_lock lock(live_line().mutex);
  ++live_line().num_quiet;
}

QuietTerminal::~QuietTerminal() {
  const std::scoped_lock lock(live_line().mutex);
  --live_line().num_quiet;
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace myxtts::base
