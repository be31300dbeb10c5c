#include "base/terminal.h"

#include <gtest/gtest.h>

namespace xtts::base {
namespace {

TEST(Terminal, APipeIsNotATerminalAndHasAWidth) {
  testing::internal::CaptureStderr();
  const bool live = stderr_is_terminal();
  const int width = terminal_width();
  testing::internal::GetCapturedStderr();

  EXPECT_FALSE(live);
  EXPECT_EQ(width, 80);
}

}  // namespace
}  // namespace xtts::base
