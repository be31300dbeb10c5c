#include "base/error.h"

#include <string>

#include <gtest/gtest.h>

namespace myxtts {
namespace {

template <typename Error, typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

TEST(Require, ThrowsTheFormattedMessage) {
  EXPECT_EQ(message_of<UserError>([] { require(false, "found {}", 3); }), "found 3");
  EXPECT_NO_THROW(require(true, "found {}", 3));
}

TEST(RequireUsage, ThrowsUsageErrorWhichIsAUserError) {
  EXPECT_EQ(message_of<UsageError>([] { require_usage(false, "no flag"); }), "no flag");
  EXPECT_THROW(require_usage(false, "no flag"), UserError);
}

TEST(Invariant, MessageHasFileAndCondition) {
  const std::string message = message_of<BugError>([] { invariant(false, "two is even"); });

  EXPECT_NE(message.find("error_test.cpp:"), std::string::npos) << message;
  EXPECT_NE(message.find("two is even"), std::string::npos) << message;
}

}  // namespace
}  // namespace myxtts
