#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <termios.h>

namespace xtts::base {

struct ScreenSize {
  int columns = 80;
  int rows = 24;
};

// True if standard output is a terminal that understands control codes (a TTY, TERM not "dumb").
bool stdout_is_terminal();

// Of the terminal on standard output; 80 x 24 where there is none, or it does not say.
ScreenSize screen_size();

// The terminal as a page that is drawn again and again. What was on it before is back when the
// object ends, however that comes about: by a return, an exception, or the first signal that
// base/interrupt notes. Only while stdout_is_terminal(); one at a time per process.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Draws the lines from the top; they are no wider than the screen and have no control codes.
  void draw(const std::vector<std::string>& lines);

  // Waits that long at most. True as soon as a person asks for the end: the key q, or a signal.
  bool wait_for_end(std::chrono::milliseconds most);

 private:
  termios before_{};
  bool is_changed_ = false;  // standard input is a terminal, and sends every key at once
  bool has_keys_ = false;    // and has not ended
};

}  // namespace xtts::base
