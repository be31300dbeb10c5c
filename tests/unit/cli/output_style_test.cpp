#include "cli/output_style.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace myxtts::cli {
namespace {

TEST(OutputStyle, UnicodeBarsFollowTheLocale) {
  const char* before = std::getenv("LC_ALL");
  const std::string kept = before == nullptr ? "" : before;

  ::setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(terminal_chart_style().unicode);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_TRUE(terminal_chart_style().unicode);

  ::setenv("LC_ALL", kept.c_str(), 1);
}

}  // namespace
}  // namespace myxtts::cli
