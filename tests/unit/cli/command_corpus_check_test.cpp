#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::cli {
namespace {

using corpus::hum_wav;
using support::CommandResult;
using support::run_myxtts;

CommandResult check(const std::filesystem::path& dir, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"corpus", "check", dir.string(), "--no-use-phonemes"});
  return run_myxtts(std::move(arguments));
}

TEST(CorpusCheckCommand, FindsNoProblemsInAGoodCorpus) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", hum_wav(1.0));
  dir.write("metadata.csv", "a|hello\n");

  const CommandResult result = check(dir.path());

  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.output.find("LJSpeech, 1 utterance"), std::string::npos) << result.output;
  EXPECT_NE(result.errors.find("Next: myxtts stats --train-data"), std::string::npos);
}

TEST(CorpusCheckCommand, PrintsJsonWithTheContractFields) {
  const support::TempDir dir;
  dir.write("train/wavs/a.wav", hum_wav(1.0));
  dir.write("train/metadata.csv", "a|hello\nb|hello\n\xFF|broken\n");
  dir.write("val/wavs/c.wav", "");
  dir.write("val/metadata.csv", "c|hello\n");

  const CommandResult result = check(dir.path(), {"--json"});

  EXPECT_EQ(result.code, 1);
  const nlohmann::json answer = nlohmann::json::parse(result.output);
  EXPECT_EQ(answer["utterances"], 4);
  ASSERT_EQ(answer["bad"].size(), 3U);
  EXPECT_EQ(answer["bad"][0]["id"], "b");
  EXPECT_EQ(answer["bad"][0]["reason"], "missing");
  EXPECT_EQ(answer["bad"][0]["split"], "train");
  EXPECT_EQ(answer["bad"][1]["id"], "\\xff");
  EXPECT_EQ(answer["bad"][2]["id"], "c");
  EXPECT_EQ(answer["bad"][2]["reason"], "empty");
  EXPECT_EQ(answer["bad"][2]["split"], "val");
  for (const nlohmann::json& bad : answer["bad"])
    EXPECT_FALSE(bad["detail"].get<std::string>().empty() || bad["remedy"].empty());
}

TEST(CorpusCheckCommand, PrintsEachUnusableUtteranceWithASuggestion) {
  const support::TempDir dir;
  dir.write("metadata.csv", "a|hello\nb|hello\n");

  const CommandResult result = check(dir.path());

  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.output.find("missing (2): put the recording"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("wavs/b.wav: No such file"), std::string::npos) << result.output;
}

TEST(CorpusCheckCommand, WarningsAloneExitWithZero) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", hum_wav(1.0, 4.0F));
  dir.write("metadata.csv", "a|hello\n");

  const CommandResult result = check(dir.path(), {"--json"});

  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(nlohmann::json::parse(result.output)["warnings"][0]["reason"], "clipped");
}

TEST(CorpusCheckCommand, AnEmptyCorpusExitsWithOne) {
  const support::TempDir dir;
  dir.write("metadata.csv", "");

  EXPECT_EQ(check(dir.path()).code, 1);
}

TEST(CorpusCheckCommand, AMissingFolderIsAUsageError) {
  const support::TempDir dir;
  std::filesystem::create_directory(dir.path() / "speech");

  const CommandResult result = check(dir.path() / "speeech");

  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.errors.find("did you mean 'speech'?"), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, "");
}

TEST(CorpusCheckCommand, AnEmptyCorpusIsReportedAsEmpty) {
  const support::TempDir dir;
  dir.write("metadata.csv", "");

  const CommandResult result = check(dir.path());

  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.output.find("no utterance in metadata.csv"), std::string::npos) << result.output;
}

TEST(CorpusCheckCommand, TheNextCommandKeepsTheConfigurationArguments) {
  const support::TempDir dir;
  dir.write("my corpus/wavs/a.wav", hum_wav(1.0));
  dir.write("my corpus/metadata.csv", "a|hello\n");
  const std::string corpus = (dir.path() / "my corpus").string();

  const CommandResult result = check(corpus, {"--set", "data.add_blank=true"});

  EXPECT_NE(result.errors.find("Next: myxtts stats --train-data '" + corpus +
                               "' --set data.add_blank=true --set data.use_phonemes=false"),
            std::string::npos)
      << result.errors;
  EXPECT_NE(result.output.find("1 utterance, 0 unusable, 0 warnings"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace myxtts::cli
