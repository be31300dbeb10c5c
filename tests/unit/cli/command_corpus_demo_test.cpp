#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "support/temp_dir.h"

namespace xtts::cli {
namespace {

using support::Ended;

Ended run_corpus_demo(std::vector<std::string> words) {
  words.insert(words.begin(), {"corpus", "demo"});
  return support::run_myxtts(std::move(words));
}

TEST(CorpusDemoCommand, MakesACorpusAndSaysWhatToDoNext) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "demo").string();

  const Ended ended = run_corpus_demo(
      {"--out", out, "--utterances", "4", "--voices", "kal16,slt", "--words", "2-3", "--json"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  const nlohmann::json answer = nlohmann::json::parse(ended.output);
  EXPECT_EQ(answer["utterances"], 4);
  EXPECT_EQ(answer["made"], 4);
  EXPECT_EQ(answer["train"].get<int>() + answer["val"].get<int>(), 4);
  EXPECT_EQ(answer["voices"], (std::vector<std::string>{"kal16", "slt"}));
  EXPECT_TRUE(std::filesystem::exists(out + "/train/metadata.csv"));
  EXPECT_NE(ended.errors.find("Next: myxtts corpus check " + out), std::string::npos);
}

TEST(CorpusDemoCommand, SpeaksPersian) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "demo").string();

  const Ended ended =
      run_corpus_demo({"--out", out, "--utterances", "2", "--language", "fa", "--words", "2-3"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  EXPECT_TRUE(std::filesystem::exists(out + "/train/wavs/fa_00001.wav"));
  EXPECT_NE(ended.errors.find("--language fa"), std::string::npos);
}

TEST(CorpusDemoCommand, AWrongCommandLineIsExitTwoAndMakesNothing) {
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
  for (std::vector<std::string> words : wrong) {
    const std::string tried = words.front() + " " + words.back();
    words.insert(words.begin(), {"--out", out});

    const Ended ended = run_corpus_demo(words);

    EXPECT_EQ(ended.code, 2) << tried << ": " << ended.errors;
    EXPECT_EQ(ended.output, "") << tried;
    EXPECT_FALSE(ended.errors.empty()) << tried;
    EXPECT_FALSE(std::filesystem::exists(out)) << tried;
  }
}

TEST(CorpusDemoCommand, SuggestsTheNearestVoice) {
  const Ended ended = run_corpus_demo({"--out", "unused", "--voices", "kal61"});

  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.errors.find("did you mean 'kal16'?"), std::string::npos) << ended.errors;
}

}  // namespace
}  // namespace xtts::cli
