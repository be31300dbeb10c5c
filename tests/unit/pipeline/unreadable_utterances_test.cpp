#include "pipeline/unreadable_utterances.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace xtts::pipeline {
namespace {

TEST(UnreadableUtterances, AreNamedOnce) {
  UnreadableUtterances lost(100);
  lost.lose(3, "u3", "gone");
  lost.lose(3, "u3", "gone");
  EXPECT_TRUE(lost.is_lost(3));
  EXPECT_FALSE(lost.is_lost(4));
  EXPECT_EQ(lost.count(), 1U);
  EXPECT_EQ(lost.take_news(), std::vector<std::string>{"u3: gone"});
  EXPECT_TRUE(lost.take_news().empty());
}

TEST(UnreadableUtterances, MoreThanAFewAreRefusedWithTheLastOne) {
  UnreadableUtterances lost(40);
  lost.lose(1, "u1", "gone");
  lost.lose(2, "u2", "gone");
  try {
    lost.lose(3, "u3", "cut off");
    FAIL() << "3 of 40 are more than 5 %";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("3 of 40"), std::string::npos) << text;
    EXPECT_NE(text.find("u3: cut off"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace xtts::pipeline
