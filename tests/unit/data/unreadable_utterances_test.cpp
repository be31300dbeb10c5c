#include "data/unreadable_utterances.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::data {
namespace {

TEST(UnreadableUtterances, AreReportedOnce) {
  UnreadableUtterances unreadable(100);
  unreadable.add(3, "u3", "gone");
  unreadable.add(3, "u3", "gone");
  EXPECT_TRUE(unreadable.contains(3));
  EXPECT_FALSE(unreadable.contains(4));
  EXPECT_EQ(unreadable.count(), 1U);
  EXPECT_EQ(unreadable.take_unreported(), std::vector<std::string>{"u3: gone"});
  EXPECT_TRUE(unreadable.take_unreported().empty());
}

TEST(UnreadableUtterances, TooManyAreAnErrorThatNamesTheLast) {
  UnreadableUtterances unreadable(40);
  unreadable.add(1, "u1", "gone");
  unreadable.add(2, "u2", "gone");
  try {
    unreadable.add(3, "u3", "cut off");
    FAIL() << "3 of 40 are more than 5 %";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("3 of 40"), std::string::npos) << text;
    EXPECT_NE(text.find("u3: cut off"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace myxtts::data
