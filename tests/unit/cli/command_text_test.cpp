#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "support/has.h"

namespace myxtts::cli {
namespace {

using support::CommandResult;
using support::has;
using support::run_myxtts;

TEST(CommandText, PrintsEachStageAndTheNextCommand) {
  const CommandResult result = run_myxtts({"text", "--no-use-phonemes", "Dr. No"});

  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "raw         Dr. No\nnormalised  doctor No\n")) << result.output;
  EXPECT_TRUE(has(result.output, "count       9 symbols\n")) << result.output;
  EXPECT_TRUE(has(result.errors, "myxtts corpus check")) << result.errors;
}

TEST(CommandText, JsonHasTheSameStages) {
  const CommandResult result = run_myxtts({"text", "--json", "--no-use-phonemes", "No 5"});

  const auto output = nlohmann::json::parse(result.output);
  EXPECT_EQ(output["normalised"], "No five");
  EXPECT_EQ(output["count"], 7);
  EXPECT_EQ(output["fault"], "");
}

TEST(CommandText, ATextThatCannotBeSynthesisedExitsWithOne) {
  const CommandResult result =
      run_myxtts({"text", "--no-use-phonemes", "\u0633\u0644\u0627\u0645"});

  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(has(result.errors, "add --language fa")) << result.errors;
}

TEST(CommandText, ControlCharactersAreEscaped) {
  const CommandResult result = run_myxtts({"text",
                                           "--no-use-phonemes",
                                           "--text-cleaners",
                                           "no_cleaners",
                                           "a\x1b[1m b\xc2\x9b c \xc3\xa9"});

  EXPECT_TRUE(has(result.output, "raw         a\\x1b[1m b\\u009b c \xc3\xa9\n")) << result.output;
  EXPECT_FALSE(has(result.output, "\xc2\x9b")) << result.output;
  EXPECT_FALSE(has(result.output, "\x1b")) << result.output;
}

// In double quotes a shell would expand "$1".
TEST(CommandText, TheExamplesAreSafeToPaste) {
  const CommandResult result = run_myxtts({"text", "--help"});

  EXPECT_TRUE(has(result.output, "myxtts text 'Dr. Smith paid $1,234.56")) << result.output;
}

}  // namespace
}  // namespace myxtts::cli
