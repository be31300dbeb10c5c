// Tests errors that are detected before LibTorch is loaded; tests/cli/evaluate_test.py has the
// rest.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/command_line.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

struct WrongEvaluate {
  std::vector<std::string> arguments;
  std::string message;
};

class CommandEvaluate : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"voice", "recorded", "full"})
      std::filesystem::create_directory(folder_.path() / name);
    folder_.write("lines.txt", "one\n\ntwo\n");
    folder_.write("blank.txt", "\n \n");
    folder_.write("recorded/0002.wav", "sound");
    folder_.write("full/0001.wav", "sound");
    folder_.write("full/0009.wav", "sound");
  }

  std::string file(const char* name) const { return (folder_.path() / name).string(); }

  const support::TempDir folder_;
};

TEST_F(CommandEvaluate, ReportsEachMistakeInOneLineWithASuggestion) {
  const std::string text = file("lines.txt");
  const std::string run = file("voice");
  const std::vector<WrongEvaluate> mistakes = {
      {{run}, "--text is required"},
      {{"--text", text}, "RUN is required"},
      {{file("vioce"), "--text", text}, "did you mean 'voice'?"},
      {{run, "--text", file("line.txt")}, "did you mean 'lines.txt'?"},
      {{run, "--text", file("voice")}, "is a folder; expected a file with one text per line"},
      {{run, "--text", file("blank.txt")}, "is empty; expected one sentence per line"},
      {{run, "--text", "-"}, "found standard input"},
      {{run, "--text", text, "--speaker", "b", "--reference", "c"}, "excludes"},
      {{run, "--text", text, "--judge", "true", "--judge-timeout", "0"}, "more than 0 s"},
      {{run, "--text", text, "--judge", "true", "--judge-timeout", "nan"}, "more than 0 s"},
      {{run, "--text", text, "--recordings", file("recorded")}, "add --judge COMMAND"},
      {{run, "--text", text, "--judge", "true", "--recordings", file("record")},
       "did you mean 'recorded'?"},
      {{run, "--text", text, "--judge", "true", "--recordings", file("recorded")},
       "lacks 1 of 2 files, first missing: 0001.wav"},
      {{run, "--text", text, "--out", file("x.wav")}, "expected a folder"},
      {{run, "--text", text, "--out", file("full")},
       "has 0009.wav, which belongs to no sentence of"},
  };
  for (const WrongEvaluate& mistake : mistakes) {
    std::vector<std::string> arguments = mistake.arguments;
    arguments.insert(arguments.begin(), "evaluate");
    const support::CommandResult result = support::run_myxtts(arguments);

    EXPECT_EQ(result.code, 2) << result.errors;
    EXPECT_NE(result.errors.find(mistake.message), std::string::npos) << result.errors;
    EXPECT_EQ(result.output, "");
  }
}

}  // namespace
}  // namespace myxtts::cli
