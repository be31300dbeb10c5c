#include "corpus/reasons.h"

#include <set>

#include <gtest/gtest.h>

#include "base/error.h"

namespace xtts::corpus {
namespace {

TEST(Reasons, EachIsListedOnceWithARemedy) {
  std::set<std::string_view> seen;
  for (const Reason& reason : all_reasons()) {
    EXPECT_TRUE(seen.insert(reason.reason).second) << reason.reason;
    EXPECT_FALSE(reason.remedy.empty()) << reason.reason;
  }
}

TEST(Reasons, AProblemCarriesTheRemedyOfItsReason) {
  const Problem problem = make_problem("a1", "empty", "wavs/a1.wav: 0 bytes", 7);

  EXPECT_EQ(problem.id, "a1");
  EXPECT_EQ(problem.reason, "empty");
  EXPECT_EQ(problem.line, 7);
  EXPECT_NE(problem.remedy.find("0 bytes"), std::string::npos);
}

TEST(Reasons, AReasonThatIsNotListedIsABug) {
  EXPECT_THROW(make_problem("a1", "strange", ""), BugError);
}

TEST(Printable, KeepsLettersOfAllScripts) {
  EXPECT_EQ(printable("caf\xC3\xA9 \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85"),
            "caf\xC3\xA9 \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85");
}

TEST(Printable, EscapesWhatIsNotUtf8AndWhatATerminalObeys) {
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x1B[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("\xFF\xC3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("ab\xC3\xA9z", 3), "ab\xC3\xA9...");
}

}  // namespace
}  // namespace xtts::corpus
