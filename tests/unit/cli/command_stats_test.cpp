#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::cli {
namespace {

using corpus::hum_wav;
using support::CommandResult;
using support::run_myxtts;

// Writes ten utterances of 1 to 10 letters and 0.25 to 2.5 s by two speakers.
void write_ten_utterances(const support::TempDir& dir) {
  std::string metadata;
  for (int i = 1; i <= 10; ++i) {
    metadata += fmt::format("u{}.wav|{}|{}\n",
                            i,
                            i % 2 == 0 ? "slt" : "awb",
                            std::string(static_cast<std::size_t>(i), 'a'));
    dir.write(fmt::format("wavs/u{}.wav", i), hum_wav(0.25 * i));
  }
  dir.write("metadata.csv", metadata);
}

CommandResult stats(const std::filesystem::path& dir, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"stats", "--train-data", dir.string(), "--no-use-phonemes"});
  return run_myxtts(std::move(arguments));
}

TEST(StatsCommand, PrintsJsonWithTheContractFields) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  const CommandResult result = stats(dir.path(), {"--json"});

  ASSERT_EQ(result.code, 0) << result.errors;
  const nlohmann::json output = nlohmann::json::parse(result.output);
  EXPECT_EQ(output["utterances"], 10);
  EXPECT_NEAR(output["hours"].get<double>(), 13.75 / 3600.0, 1e-6);
  EXPECT_EQ(output["speakers"], 2);
  for (const char* length : {"text_length", "mel_length"}) {
    for (const char* field :
         {"min", "mean", "max", "percentile_50", "percentile_90", "percentile_95", "percentile_99"})
      EXPECT_TRUE(output[length][field].is_number()) << length << " " << field;
  }
  EXPECT_EQ(output["text_length"]["percentile_50"], 5);
  EXPECT_EQ(output["text_length"]["percentile_99"], 10);
  EXPECT_EQ(output["mel_length"]["max"], 1 + 22050 * 5 / 2 / 256);
  EXPECT_EQ(output["recommended"]["max_text_length"], 16);
  EXPECT_EQ(output["recommended"]["max_mel_frames"], 224);
  EXPECT_EQ(output["recommendations"][0]["percent"], 95);
}

TEST(StatsCommand, ReportsWhatTheConfiguredLimitsFilter) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  const CommandResult result = stats(dir.path(), {"--json", "--max-text-length", "6"});

  ASSERT_EQ(result.code, 0) << result.errors;
  const nlohmann::json configured = nlohmann::json::parse(result.output)["configured"];
  EXPECT_EQ(configured["utterances_filtered"], 4);
  EXPECT_NEAR(configured["utterance_share_filtered"].get<double>(), 0.4, 1e-12);
  EXPECT_TRUE(configured["max_mel_frames"].is_null());
  EXPECT_EQ(configured["flags"], "--max-text-length 6");

  const nlohmann::json unlimited =
      nlohmann::json::parse(stats(dir.path(), {"--json"}).output)["configured"];
  EXPECT_EQ(unlimited["utterances_filtered"], 0);
  EXPECT_TRUE(unlimited["max_text_length"].is_null());
}

// One of the ten (u8) is held out, so the plan covers nine.
TEST(StatsCommand, ReportsTheShapePlanOfTraining) {
  const support::TempDir dir;
  write_ten_utterances(dir);
  const auto output_of = [&](std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const CommandResult result = stats(dir.path(), std::move(arguments));
    EXPECT_EQ(result.code, 0) << result.errors;
    return nlohmann::json::parse(result.output);
  };

  const nlohmann::json fixed = output_of({"--enable-static-shapes", "--batch-size", "2"});
  EXPECT_EQ(fixed["shape_plan"]["signatures"][0]["batch"], 2);
  EXPECT_EQ(fixed["shape_plan"]["signatures"][0]["text"], 200);
  EXPECT_EQ(fixed["shape_plan"]["signatures"][0]["mel"], 224);
  EXPECT_EQ(fixed["configured"]["max_mel_frames"], 224);

  const nlohmann::json buckets = output_of({"--shape-buckets", "2", "--batch-size", "1"});
  EXPECT_EQ(buckets["shape_plan"]["signatures"].size(), 2U);
  EXPECT_LT(buckets["padding"]["plan"].get<double>(), buckets["padding"]["fixed"].get<double>());
  EXPECT_EQ(buckets["padding"]["dynamic"], 0.0) << "a batch of one is as long as it is";
}

TEST(StatsCommand, PrintsHistogramsAndRecommendedFlags) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  const CommandResult result = stats(dir.path());

  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.output.find("10 utterances, 0.00 h, 2 speakers"), std::string::npos);
  EXPECT_NE(result.output.find("Recommended: --max-text-length 16 --max-mel-frames 224"),
            std::string::npos)
      << result.output;
  EXPECT_NE(result.errors.find("Next: myxtts"), std::string::npos);
}

TEST(StatsCommand, SkipsAndListsUnusableUtterances) {
  const support::TempDir dir;
  write_ten_utterances(dir);
  std::filesystem::remove(dir.path() / "wavs/u3.wav");

  const CommandResult result = stats(dir.path(), {"--json"});

  EXPECT_EQ(result.code, 0);
  const nlohmann::json output = nlohmann::json::parse(result.output);
  EXPECT_EQ(output["utterances"], 9);
  EXPECT_EQ(output["skipped"][0]["id"], "u3");
  EXPECT_NE(result.errors.find("u3: missing"), std::string::npos) << result.errors;
}

TEST(StatsCommand, WritesASelfContainedHtmlReport) {
  const support::TempDir dir;
  write_ten_utterances(dir);
  const std::filesystem::path page = dir.path() / "pages/stats.html";

  ASSERT_EQ(stats(dir.path(), {"--html", page.string()}).code, 0);

  std::ifstream file(page);
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find("Shape plan (buckets, batch size 16)"), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
}

TEST(StatsCommand, ExitsWithOneWithoutAUsableUtterance) {
  const support::TempDir dir;
  dir.write("metadata.csv", "a|hello\n");

  const CommandResult result = stats(dir.path());

  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("myxtts corpus check"), std::string::npos) << result.errors;
}

TEST(StatsCommand, TheReportDoesNotOverwriteAFileOfTheCorpus) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  for (const char* name : {"metadata.csv", "wavs/u3.wav"}) {
    const auto size = std::filesystem::file_size(dir.path() / name);
    EXPECT_EQ(stats(dir.path(), {"--html", (dir.path() / name).string()}).code, 2) << name;
    EXPECT_EQ(std::filesystem::file_size(dir.path() / name), size) << name;
  }
}

}  // namespace
}  // namespace myxtts::cli
