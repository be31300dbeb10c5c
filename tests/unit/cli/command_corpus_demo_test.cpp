#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

using support::CommandResult;

CommandResult run_corpus_demo(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"corpus", "demo"});
  return support::run_myxtts(std::move(arguments));
}

TEST(CorpusDemoCommand, GeneratesACorpusAndPrintsTheNextCommand) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "demo").string();

  const CommandResult result = run_corpus_demo(
      {"--out", out, "--utterances", "4", "--voices", "kal16,slt", "--words", "2-3", "--json"});

  ASSERT_EQ(result.code, 0) << result.errors;
  const nlohmann::json output = nlohmann::json::parse(result.output);
  EXPECT_EQ(output["utterances"], 4);
  EXPECT_EQ(output["created"], 4);
  EXPECT_EQ(output["train"].get<int>() + output["val"].get<int>(), 4);
  EXPECT_EQ(output["voices"], (std::vector<std::string>{"kal16", "slt"}));
  EXPECT_TRUE(std::filesystem::exists(out + "/train/metadata.csv"));
  EXPECT_NE(result.errors.find("Next: myxtts corpus check " + out), std::string::npos);
}

TEST(CorpusDemoCommand, GeneratesPersian) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "demo").string();

  const CommandResult result =
      run_corpus_demo({"--out", out, "--utterances", "2", "--language", "fa", "--words", "2-3"});

  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_TRUE(std::filesystem::exists(out + "/train/wavs/fa_00001.wav"));
  EXPECT_NE(result.errors.find("--language fa"), std::string::npos);
}

TEST(CorpusDemoCommand, AWrongCommandLineExitsWithTwoAndWritesNothing) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "demo").string();
  const std::vector<std::vector<std::string>> wrong = {{"--words", "9-3"},
                                                       {"--words", "many"},
                                                       {"--words", "2-99"},
                                                       {"--utterances", "0"},
                                                       {"--utterances", "-3"},
                                                       {"--utterances", "9999999"},
                                                       {"--voices", "rmss"},
                                                       {"--voices", ""},
                                                       {"--language", "de"},
                                                       {"--text", out + "/absent.txt"},
                                                       {"--val-share", "1.5"},
                                                       {"--num-workers", "-1"},
                                                       {"--seed", "x"},
                                                       {"--utterence", "3"}};
  for (std::vector<std::string> arguments : wrong) {
    const std::string tried = arguments.front() + " " + arguments.back();
    arguments.insert(arguments.begin(), {"--out", out});

    const CommandResult result = run_corpus_demo(arguments);

    EXPECT_EQ(result.code, 2) << tried << ": " << result.errors;
    EXPECT_EQ(result.output, "") << tried;
    EXPECT_FALSE(result.errors.empty()) << tried;
    EXPECT_FALSE(std::filesystem::exists(out)) << tried;
  }
}

TEST(CorpusDemoCommand, NamesTheFlagAndTheRangeOfAWrongNumber) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--num-workers", "999"}, "--num-workers 999: expected 0 to 256\n"},
      {{"--seed", "x"}, "--seed x: expected 0 or more\n"},
      {{"--val-share", "y"}, "--val-share y: expected a number\n"},
      {{"--seed"}, "--seed: no value given; expected N\n"}};
  for (const auto& [flags, message] : wrong) {
    std::vector<std::string> arguments = {"--out", "unused"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());

    const CommandResult result = run_corpus_demo(arguments);

    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
  }
}

TEST(CorpusDemoCommand, SuggestsTheNearestVoice) {
  const CommandResult result = run_corpus_demo({"--out", "unused", "--voices", "kal61"});

  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.errors.find("did you mean 'kal16'?"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace myxtts::cli
