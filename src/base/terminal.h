#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace xtts::base {

// True if standard error is a terminal that understands control codes (a TTY, TERM not "dumb").
bool stderr_is_terminal();

// Columns of the terminal on standard error, 80 when unknown.
int terminal_width();

// True if the locale says that text is UTF-8, so that bars and boxes may be drawn with it.
bool speaks_utf8();

void write_log(std::string_view text);  // what say() does with its words

// Shows one line below the log that stays there: what is said afterwards appears above it. It takes
// the place of the one before; an empty one takes it away. At most as wide as the terminal, without
// newline or control codes. Does nothing unless standard error is a terminal. One at a time per
// process. Thread-safe, as is write_log().
void show_live_line(std::string_view line);

// While one lives, nothing is said and no line is shown: for work whose words nobody asked for.
class QuietTerminal {
 public:
  QuietTerminal();
  ~QuietTerminal();
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;
};

// Prints on standard error. A log that cannot be written (a full disk, a closed stream) is lost
// and never stops the work that it tells about.
template <typename... Args>
void say(fmt::format_string<Args...> message, Args&&... args) {
  write_log(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace xtts::base
