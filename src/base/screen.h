// Full-screen terminal display.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <termios.h>

namespace myxtts::base {

struct ScreenSize {
  int columns = 80;
  int rows = 24;
};

// True if standard output is a terminal that understands control codes (a TTY, TERM not "dumb").
bool stdout_is_terminal();

// Returns the size of the terminal on standard output, 80 x 24 if unknown.
ScreenSize screen_size();

// The alternate screen of the terminal, redrawn repeatedly. The destructor restores the previous
// content, also after an exception or the first signal (base/interrupt.h). Requires
// stdout_is_terminal(). At most one per process.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Draws the lines from the top. They must fit the screen width and contain no control codes.
  void draw(const std::vector<std::string>& lines);

  // Waits until the timeout. Returns true as soon as the user quits, by the key q or a signal.
  bool wait_for_quit(std::chrono::milliseconds timeout);

 private:
  termios previous_mode_{};
  bool is_changed_ = false;  // standard input is a terminal in unbuffered mode
  bool has_keys_ = false;    // standard input is readable and not at its end
};

}  // namespace myxtts::base
