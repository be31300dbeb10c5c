#include "cli/word_judge.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "support/temp_dir.h"

namespace xtts::cli {
namespace {

// A judge that leaves its arguments in `arguments` and prints `answer`.
std::string judge_that_says(const support::TempDir& dir, const std::string& answer) {
  dir.write("answer", answer);
  const auto script = dir.write("judge.sh",
                                "printf '%s\\n' \"$@\" > '" + (dir.path() / "arguments").string() +
                                    "'\ncat '" + (dir.path() / "answer").string() + "'\n");
  return "sh " + script.string();
}

std::string refusal_of_judge(const std::string& command) {
  try {
    judge_words(command, "text", "wavs", 1);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(WordJudge, HearsWhatTheJudgeSays) {
  const support::TempDir dir;
  const std::string command =
      judge_that_says(dir,
                      R"({"files":[{"heard":"one too","words":2,"errors":1},)"
                      R"({"heard":"","words":3,"errors":3}]})");

  const std::vector<train::Heard> heard =
      judge_words(command + " --jobs 1", dir.path() / "the text", dir.path() / "wavs", 2);

  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].words, "one too");
  EXPECT_EQ(heard[0].num_words, 2);
  EXPECT_EQ(heard[0].num_errors, 1);
  EXPECT_EQ(heard[1].num_errors, 3);
  EXPECT_EQ(base::read_file_or_throw(dir.path() / "arguments", 4096),
            "--jobs\n1\n--text\n" + (dir.path() / "the text").string() + "\n--wavs\n" +
                (dir.path() / "wavs").string() + "\n--json\n");
}

TEST(WordJudge, AJudgeThatFailsIsQuotedWithTheCommandToTry) {
  const support::TempDir dir;
  const auto script = dir.write("judge.sh", "echo first >&2\necho no model >&2\nexit 3\n");

  const std::string refusal = refusal_of_judge("sh " + script.string());

  EXPECT_NE(refusal.find("exit code 3): no model; try it by hand: sh "), std::string::npos)
      << refusal;
  EXPECT_NE(refusal_of_judge("/nowhere/judge").find("the judge failed"), std::string::npos);
}

TEST(WordJudge, AnAnswerOfAnotherFormIsRefused) {
  const support::TempDir dir;
  for (const char* answer : {"",
                             "fine",
                             "[]",
                             "{}",
                             R"({"files":{}})",
                             R"({"files":[]})",
                             R"({"files":[1]})",
                             R"({"files":[{"heard":"a","words":1}]})",
                             R"({"files":[{"heard":"a","words":-1,"errors":0}]})",
                             R"({"files":[{"heard":7,"words":1,"errors":0}]})"}) {
    EXPECT_NE(refusal_of_judge(judge_that_says(dir, answer)).find("the judge answered"),
              std::string::npos)
        << answer;
  }
}

}  // namespace
}  // namespace xtts::cli
