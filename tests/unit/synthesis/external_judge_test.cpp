#include "synthesis/external_judge.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "support/temp_dir.h"

namespace myxtts::synthesis {
namespace {

using namespace std::chrono_literals;

// Returns the command of a judge that writes its arguments to `arguments` and prints `output`.
std::string judge_that_prints(const support::TempDir& dir, const std::string& output) {
  dir.write("output", output);
  const auto script = dir.write("judge.sh",
                                "printf '%s\\n' \"$@\" > '" + (dir.path() / "arguments").string() +
                                    "'\ncat '" + (dir.path() / "output").string() + "'\n");
  return "sh " + script.string();
}

JudgeCall call_of(const std::string& command) {
  return {.command = command, .text = "text", .wavs = "wavs"};
}

template <typename Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string refusal_of_judge(const JudgeCall& call) {
  return refusal_of([&] { run_judge(call); });
}

TEST(Judge, ReturnsTheNumbersInOutputOrder) {
  const support::TempDir dir;
  const std::string command = judge_that_prints(
      dir,
      R"({"mos":3.5,"word_error_rate":0.25,"by":"me","words":8,"errors":2,"files":[{"a":1}]})");

  const Judgement judgement = run_judge({.command = command + " --jobs 1",
                                         .text = dir.path() / "the $text'",
                                         .wavs = dir.path() / "wavs"});

  EXPECT_EQ(judgement.numbers,
            (std::vector<std::pair<std::string, double>>{
                {"mos", 3.5}, {"word_error_rate", 0.25}, {"words", 8}, {"errors", 2}}));
  EXPECT_EQ(judgement.number("mos"), 3.5);
  EXPECT_EQ(judgement.number("by"), std::nullopt);
  EXPECT_EQ(base::read_file_or_throw(dir.path() / "arguments", 4096),
            "--jobs\n1\n--text\n" + (dir.path() / "the $text'").string() + "\n--wavs\n" +
                (dir.path() / "wavs").string() + "\n");
}

TEST(Judge, LowerWordErrorRateOrHigherScoreIsBetter) {
  const auto cost = [](std::vector<std::pair<std::string, double>> numbers) {
    return Judgement{.numbers = std::move(numbers)}.cost();
  };

  EXPECT_LT(*cost({{"word_error_rate", 0.1}, {"score", 1}}),
            *cost({{"word_error_rate", 0.2}, {"score", 9}}));
  EXPECT_LT(*cost({{"score", 3.2}}), *cost({{"score", 3.1}}));
  EXPECT_EQ(cost({{"mos", 3.2}}), std::nullopt);
}

TEST(Judge, ReturnsTheTranscriptOfEachFile) {
  const support::TempDir dir;
  const std::string command =
      judge_that_prints(dir,
                        R"({"files":[{"heard":"one too","words":2,"errors":1},)"
                        R"({"heard":"","words":3,"errors":3}]})");

  const std::vector<Transcript> transcripts = run_judge_per_file(call_of(command), 2);

  ASSERT_EQ(transcripts.size(), 2U);
  EXPECT_EQ(transcripts[0].text, "one too");
  EXPECT_EQ(transcripts[0].num_words, 2);
  EXPECT_EQ(transcripts[0].num_errors, 1);
  EXPECT_EQ(transcripts[1].num_errors, 3);
  EXPECT_TRUE(base::read_file_or_throw(dir.path() / "arguments", 4096).ends_with("\n--json\n"));
}

TEST(Judge, ReportsTheErrorOfAFailedJudgeAndTheCommand) {
  const support::TempDir dir;
  const auto script = dir.write("judge.sh", "echo first >&2\necho no model >&2\nexit 3\n");

  const std::string refusal = refusal_of_judge(call_of("sh " + script.string()));

  EXPECT_NE(refusal.find("exit code 3): no model; run it by hand: sh "), std::string::npos)
      << refusal;
  EXPECT_TRUE(refusal.ends_with(" --text text --wavs wavs")) << refusal;
  EXPECT_NE(refusal_of_judge(call_of("/nowhere/judge")).find("the judge failed (exit code 127)"),
            std::string::npos);
}

TEST(Judge, StopsAJudgeAtItsDeadline) {
  JudgeCall call = call_of("sleep 60; echo");
  call.timeout = 200ms;

  EXPECT_NE(refusal_of_judge(call).find("did not finish within 0.2 s"), std::string::npos);
}

TEST(Judge, RejectsMalformedOutput) {
  const support::TempDir dir;
  for (const char* output : {"",
                             "fine",
                             "[]",
                             "0.5",
                             "{}",
                             R"({"by":"me"})",
                             R"({"word_error_rate":NaN})",
                             R"({"word_error_rate":null})",
                             R"({"word_error_rate":"0.1","words":3})",
                             R"({"word_error_rate":-0.1})",
                             R"({"mos":Infinity})",
                             R"({"mos":1e999})",
                             R"({"score":"good","mos":3})",
                             "{\"mos\":3}\n{\"mos\":4}"}) {
    const std::string refusal = refusal_of_judge(call_of(judge_that_prints(dir, output)));
    EXPECT_NE(refusal.find("the judge printed"), std::string::npos) << output << ": " << refusal;
  }
}

TEST(Judge, RejectsMalformedFilesLists) {
  const support::TempDir dir;
  for (const char* output : {"",
                             R"({"files":{}})",
                             R"({"files":[]})",
                             R"({"files":[1]})",
                             R"({"files":[{"heard":"a","words":1}]})",
                             R"({"files":[{"heard":"a","words":-1,"errors":0}]})",
                             R"({"files":[{"heard":7,"words":1,"errors":0}]})"}) {
    const JudgeCall call = call_of(judge_that_prints(dir, output));
    EXPECT_NE(refusal_of([&] { run_judge_per_file(call, 1); }).find("the judge printed"),
              std::string::npos)
        << output;
  }
}

TEST(Judge, PassesOnTheLogLineByLine) {
  std::vector<std::string> lines;
  JudgeCall call = call_of(R"(sh -c 'printf "one\ntw" >&2; printf "o\n" >&2; echo "{\"mos\":1}"')");
  call.on_line = [&](std::string_view line) { lines.emplace_back(line); };

  run_judge(call);

  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
}

TEST(JudgeDeathTest, ASignalThrowsInterrupted) {
  EXPECT_EXIT(
      {
        base::catch_interrupts();
        std::raise(SIGTERM);
        try {
          run_judge(call_of("sleep 60"));
        } catch (const base::Interrupted&) {
          std::exit(7);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(7),
      "");
}

TEST(Judge, JudgeTextHasOneLinePerSentence) {
  EXPECT_EQ(judge_text(std::vector<std::string>{"One.",
                                                "a\tb\vc\x1C",
                                                "x\xE2\x80\xA8y\xE2\x80\xA9z\xC2\x85",
                                                "\xE2\x80\xA8",
                                                "caf\xC3\xA9 \xFF",
                                                ""}),
            "One.\na b c \nx y z \n-\ncaf\xC3\xA9 \\xff\n-\n");
  EXPECT_EQ(judge_wav_name(0), "0001.wav");
  EXPECT_EQ(judge_wav_name(12344), "12345.wav");
}

}  // namespace
}  // namespace myxtts::synthesis
