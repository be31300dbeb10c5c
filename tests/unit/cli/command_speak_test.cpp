// Tests errors that are detected before LibTorch is loaded; tests/cli/speak_test.py has the rest.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/command_line.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

using support::CommandResult;

struct Mistake {
  std::vector<std::string> arguments;
  std::string message;
};

class CommandSpeak : public testing::Test {
 protected:
  CommandResult speak(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"speak", "--checkpoint", (folder_.path() / "voice").string()});
    return support::run_myxtts(std::move(arguments));
  }

  void SetUp() override {
    std::filesystem::create_directory(folder_.path() / "voice");
    folder_.write("clip.wav", "sound");
    folder_.write("lines.txt", "one\ntwo\n");
  }

  std::string file(const char* name) const { return (folder_.path() / name).string(); }

  const support::TempDir folder_;
};

TEST_F(CommandSpeak, ReportsEachMistakeInOneLineWithASuggestion) {
  const std::string out = file("x.wav");
  const std::vector<Mistake> mistakes = {
      {{"--out", out}, "add --text or --text-file"},
      {{"--text", "a", "--text-file", "b", "--out", out}, "excludes"},
      {{"--text", "a", "--speaker", "b", "--reference", "c", "--out", out}, "excludes"},
      {{"--text", "a", "--out", out, "--speed", "3"}, "--speed 3: expected 0.5 to 2"},
      {{"--text", "a", "--out", out, "--speed", "nan"}, "--speed nan: expected 0.5 to 2"},
      {{"--text", "a", "--out", out, "--precision", "fp16"},
       "--precision fp16: expected fp32 or bf16"},
      {{"--text", "a", "--out", out, "--seed", "-1"}, "--seed -1: expected 0 or more"},
      {{"--text", "a", "--out", out, "--loudness", "-61"}, "expected -60 to -5 LUFS, or off"},
      {{"--text", "a", "--out", out, "--loudness=nan"}, "--loudness nan: expected -60 to -5"},
      {{"--text", "a", "--out", out, "--loudness", "-23dB"}, "--loudness -23dB: expected"},
      {{"--text", " \n", "--out", out}, "the text is empty"},
      {{"--text", "a"}, "add --out FILE.wav, --out DIR or --stream"},
      {{"--text", "a", "--out", out, "--stream"}, "excludes"},
      {{"--text", "a", "--stream", "--loudness", "-20"}, "excludes"},
      {{"--text", "a", "--stream", "--json"}, "excludes"},
      {{"--text", "a", "--out", out, "--vocoder", file("voise")}, "did you mean 'voice'?"},
      {{"--text", "a", "--out", ""}, "--out is empty"},
      {{"--text", "a", "--out", out, "--reference", file("clop.wav")}, "did you mean 'clip.wav'?"},
      {{"--text", "a", "--out", file("clip.wav"), "--reference", file("clip.wav")}, "reference"},
      {{"--text-file", file("line.txt"), "--out", out}, "did you mean 'lines.txt'?"},
      {{"--text-file", file("lines.txt"), "--out", out}, "one file for 2 texts"},
  };
  for (const Mistake& mistake : mistakes) {
    const CommandResult result = speak(mistake.arguments);

    EXPECT_EQ(result.code, 2) << result.errors;
    EXPECT_NE(result.errors.find(mistake.message), std::string::npos) << result.errors;
    EXPECT_EQ(result.output, "");
  }
}

TEST_F(CommandSpeak, AMissingRunIsReportedWithTheNearestName) {
  const CommandResult result = support::run_myxtts(
      {"speak", "--checkpoint", file("voise"), "--text", "a", "--out", file("x.wav")});

  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.errors.find("did you mean 'voice'?"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace myxtts::cli
