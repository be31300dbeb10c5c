#include "corpus/reasons.h"

#include <set>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::corpus {
namespace {

TEST(Reasons, EachIsListedOnceWithASuggestion) {
  std::set<std::string_view> seen;
  for (const Reason& reason : all_reasons()) {
    EXPECT_TRUE(seen.insert(reason.reason).second) << reason.reason;
    EXPECT_FALSE(reason.suggestion.empty()) << reason.reason;
  }
}

TEST(Reasons, ProblemHasTheSuggestionOfItsReason) {
  const Problem problem = make_problem("a1", "empty", "wavs/a1.wav: 0 bytes", 7);

  EXPECT_EQ(problem.id, "a1");
  EXPECT_EQ(problem.reason, "empty");
  EXPECT_EQ(problem.line, 7);
  EXPECT_NE(problem.suggestion.find("0 bytes"), std::string::npos);
}

TEST(Reasons, UnlistedReasonIsABug) {
  EXPECT_THROW(make_problem("a1", "strange", ""), BugError);
}

}  // namespace
}  // namespace myxtts::corpus
