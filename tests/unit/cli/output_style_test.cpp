#include "cli/output_style.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace myxtts::cli {
namespace {

TEST(OutputStyle, CountOfOneIsSingular) {
  EXPECT_EQ(format_count(0, "utterance"), "0 utterances");
  EXPECT_EQ(format_count(1, "utterance"), "1 utterance");
  EXPECT_EQ(format_count(2, "utterance"), "2 utterances");
}

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
