// Log output on standard error, with a live status line on terminals.
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace myxtts::base {

// True if standard error is a terminal that understands control codes (a TTY, TERM not "dumb").
bool stderr_is_terminal();

// Returns the columns of the terminal on standard error, 80 if unknown.
int terminal_width();

// True if the locale is UTF-8, so that Unicode bars can be drawn.
bool locale_is_utf8();

// Writes text to standard error. Errors are ignored: a full disk or a closed stream must not stop
// the program. Thread-safe.
void write_log(std::string_view text);

// Shows a status line that stays below the log and replaces the previous one. An empty line removes
// it. The line must fit the terminal and contain no newline or control codes. Does nothing unless
// standard error is a terminal. Thread-safe.
void show_live_line(std::string_view line);

// Suppresses log and status line for the lifetime of the object.
class QuietTerminal {
 public:
  QuietTerminal();
  ~QuietTerminal();
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;
};

// Formats a message and writes it with write_log().
template <typename... Args>
void log(fmt::format_string<Args...> message, Args&&... args) {
  write_log(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace myxtts::base
