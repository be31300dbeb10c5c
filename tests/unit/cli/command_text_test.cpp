#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "support/has.h"

namespace xtts::cli {
namespace {

using support::Ended;
using support::has;
using support::run_myxtts;

TEST(CommandText, ShowsEachStageAndSaysWhatIsNext) {
  const Ended ended = run_myxtts({"text", "--no-use-phonemes", "Dr. No"});

  EXPECT_EQ(ended.code, 0) << ended.errors;
  EXPECT_TRUE(has(ended.output, "raw         Dr. No\nnormalised  doctor No\n")) << ended.output;
  EXPECT_TRUE(has(ended.output, "count       9 symbols\n")) << ended.output;
  EXPECT_TRUE(has(ended.errors, "Next: myxtts corpus check")) << ended.errors;
}

TEST(CommandText, JsonHoldsTheSameStages) {
  const Ended ended = run_myxtts({"text", "--json", "--no-use-phonemes", "No 5"});

  const auto answer = nlohmann::json::parse(ended.output);
  EXPECT_EQ(answer["normalised"], "No five");
  EXPECT_EQ(answer["count"], 7);
  EXPECT_EQ(answer["fault"], "");
}

TEST(CommandText, ATextThatCannotBeSpokenIsAFinding) {
  const Ended ended = run_myxtts({"text", "--no-use-phonemes", "\u0633\u0644\u0627\u0645"});

  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(has(ended.errors, "add --language fa")) << ended.errors;
}

TEST(CommandText, NoControlCharacterReachesTheTerminal) {
  const Ended ended = run_myxtts({"text",
                                  "--no-use-phonemes",
                                  "--text-cleaners",
                                  "no_cleaners",
                                  "a\x1b[1m b\xc2\x9b c \xc3\xa9"});

  EXPECT_TRUE(has(ended.output, "raw         a\\x1b[1m b\\u009b c \xc3\xa9\n")) << ended.output;
  EXPECT_FALSE(has(ended.output, "\xc2\x9b")) << ended.output;
  EXPECT_FALSE(has(ended.output, "\x1b")) << ended.output;
}

// In double quotes a shell would take "$1" out of the text.
TEST(CommandText, TheExamplesAreSafeToPaste) {
  const Ended ended = run_myxtts({"text", "--help"});

  EXPECT_TRUE(has(ended.output, "myxtts text 'Dr. Smith paid $1,234.56")) << ended.output;
}

}  // namespace
}  // namespace xtts::cli
