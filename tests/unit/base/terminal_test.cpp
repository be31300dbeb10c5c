#include "base/terminal.h"

#include <array>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace myxtts::base {
namespace {

// Redirects standard error to a pseudo-terminal for the lifetime of the object.
class TerminalOnStderr {
 public:
  TerminalOnStderr() : master_(::posix_openpt(O_RDWR | O_NOCTTY)), kept_(::dup(STDERR_FILENO)) {
    ::setenv("TERM", "xterm", /*replace=*/1);
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    const char* name = ::ptsname(master_);
    if (name != nullptr) slave_ = ::open(name, O_RDWR | O_NOCTTY);
    if (slave_ >= 0) ::dup2(slave_, STDERR_FILENO);
  }
  ~TerminalOnStderr() {
    ::dup2(kept_, STDERR_FILENO);
    for (const int descriptor : {master_, kept_, slave_})
      ::close(descriptor);
  }
  TerminalOnStderr(const TerminalOnStderr&) = delete;
  TerminalOnStderr& operator=(const TerminalOnStderr&) = delete;

  // False in a container without /dev/pts.
  bool exists() const { return slave_ >= 0; }

  // Returns the output since the last call.
  std::string shown() const {
    std::string text;
    std::array<char, 4096> block{};
    pollfd ready{.fd = master_, .events = POLLIN, .revents = 0};
    while (::poll(&ready, 1, 100) == 1) {
      const ssize_t count = ::read(master_, block.data(), block.size());
      if (count <= 0) break;
      text.append(block.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int master_;
  int kept_;
  int slave_ = -1;
};

TEST(Terminal, PipeIsNoTerminalAndHasADefaultWidth) {
  testing::internal::CaptureStderr();
  const bool live = stderr_is_terminal();
  const int width = terminal_width();
  testing::internal::GetCapturedStderr();

  EXPECT_FALSE(live);
  EXPECT_EQ(width, 80);
}

TEST(LiveLine, StaysBelowTheLog) {
  const TerminalOnStderr terminal;
  if (!terminal.exists()) GTEST_SKIP() << "this system has no pseudo-terminals";

  show_live_line("bar 1");
  log("log {}\n", 1);
  show_live_line("bar 2");
  show_live_line("");
  log("log 2\n");

  EXPECT_EQ(terminal.shown(),
            "\r\x1b[Kbar 1"
            "\r\x1b[Klog 1\r\nbar 1"
            "\r\x1b[Kbar 2"
            "\r\x1b[K"
            "log 2\r\n");
}

TEST(LiveLine, IsNotRedrawnAfterAnIncompleteLogLine) {
  const TerminalOnStderr terminal;
  if (!terminal.exists()) GTEST_SKIP() << "this system has no pseudo-terminals";

  show_live_line("bar");
  log("half");
  const std::string shown = terminal.shown();
  show_live_line("");

  EXPECT_TRUE(shown.ends_with("\r\x1b[Khalf")) << shown;
}

TEST(LiveLine, IsNotWrittenToAPipe) {
  testing::internal::CaptureStderr();

  show_live_line("bar");
  log("log\n");
  show_live_line("");

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "log\n");
}

TEST(QuietTerminal, SuppressesTheLogForItsLifetime) {
  testing::internal::CaptureStderr();
  {
    const QuietTerminal outer;
    {
      const QuietTerminal inner;
      log("suppressed\n");
    }
    log("suppressed as well\n");
  }
  log("logged\n");

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "logged\n");
}

}  // namespace
}  // namespace myxtts::base
