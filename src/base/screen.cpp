// Uses the alternate screen (smcup and rmcup of terminfo), which preserves the previous content.
// All current terminals support these codes, so terminfo is not needed.
#include "base/screen.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/interrupt.h"

namespace myxtts::base {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";  // alternate screen, no cursor
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view kHome = "\x1b[H";
constexpr std::string_view kEraseRight = "\x1b[K";
constexpr std::string_view kEraseBelow = "\x1b[J";
constexpr std::chrono::milliseconds kMaxSignalDelay(100);  // until a signal is noticed

void put_on_screen(std::string_view bytes) {
  static_cast<void>(std::fwrite(bytes.data(), 1, bytes.size(), stdout));
  static_cast<void>(std::fflush(stdout));
}

}  // namespace

bool stdout_is_terminal() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

ScreenSize screen_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {.columns = size.ws_col, .rows = size.ws_row == 0 ? ScreenSize{}.rows : size.ws_row};
}

Screen::Screen() {
  // Keys arrive unbuffered and without echo. Ctrl-C still sends its signal.
  if (::isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &previous_mode_) == 0) {
    termios keys = previous_mode_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    is_changed_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
    has_keys_ = is_changed_;
  }
  put_on_screen(kEnter);
}

Screen::~Screen() {
  put_on_screen(kLeave);
  if (is_changed_) ::tcsetattr(STDIN_FILENO, TCSANOW, &previous_mode_);
}

void Screen::draw(const std::vector<std::string>& lines) {
  std::string page(kHome);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    page += lines[i];
    page += kEraseRight;
    if (i + 1 < lines.size()) page += "\r\n";  // one after the last would scroll a full screen
  }
  page += kEraseBelow;
  put_on_screen(page);
}

bool Screen::wait_for_quit(std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (pending_interrupt() == 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd input{.fd = has_keys_ ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, static_cast<int>(std::min(left, kMaxSignalDelay).count())) <= 0) continue;
    char key = 0;
    const bool got = ::read(STDIN_FILENO, &key, 1) == 1;
    if (!got) has_keys_ = false;  // end of input
    if (got && (key == 'q' || key == 'Q')) return true;
  }
  return true;
}

}  // namespace myxtts::base
