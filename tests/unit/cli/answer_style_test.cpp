#include "cli/answer_style.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace xtts::cli {
namespace {

TEST(AnswerStyle, OneIsNotMany) {
  EXPECT_EQ(counted(0, "utterance"), "0 utterances");
  EXPECT_EQ(counted(1, "utterance"), "1 utterance");
  EXPECT_EQ(counted(2, "utterance"), "2 utterances");
}

TEST(AnswerStyle, BarsFollowTheLocale) {
  const char* before = std::getenv("LC_ALL");
  const std::string kept = before == nullptr ? "" : before;

  ::setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(terminal_chart_style().unicode);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_TRUE(terminal_chart_style().unicode);

  ::setenv("LC_ALL", kept.c_str(), 1);
}

}  // namespace
}  // namespace xtts::cli
