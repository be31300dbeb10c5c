#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "unit/corpus/corpus_folder.h"

namespace xtts::cli {
namespace {

using corpus::hum_wav;
using support::Ended;
using support::run_myxtts;

// Ten utterances of 1 to 10 letters and 0.25 to 2.5 s, by two speakers.
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

Ended stats(const std::filesystem::path& dir, std::vector<std::string> words = {}) {
  words.insert(words.begin(), {"stats", "--train-data", dir.string(), "--no-use-phonemes"});
  return run_myxtts(std::move(words));
}

TEST(StatsCommand, AnswersMachinesWithTheContract) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  const Ended ended = stats(dir.path(), {"--json"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  const nlohmann::json answer = nlohmann::json::parse(ended.output);
  EXPECT_EQ(answer["utterances"], 10);
  EXPECT_NEAR(answer["hours"].get<double>(), 13.75 / 3600.0, 1e-6);
  EXPECT_EQ(answer["speakers"], 2);
  for (const char* length : {"text_length", "mel_length"}) {
    for (const char* field :
         {"min", "mean", "max", "percentile_50", "percentile_90", "percentile_95", "percentile_99"})
      EXPECT_TRUE(answer[length][field].is_number()) << length << " " << field;
  }
  EXPECT_EQ(answer["text_length"]["percentile_50"], 5);
  EXPECT_EQ(answer["text_length"]["percentile_99"], 10);
  EXPECT_EQ(answer["mel_length"]["max"], 1 + 22050 * 5 / 2 / 256);
  EXPECT_EQ(answer["recommended"]["max_text_length"], 16);
  EXPECT_EQ(answer["recommended"]["max_mel_frames"], 224);
  EXPECT_EQ(answer["recommendations"][0]["percent"], 95);
}

TEST(StatsCommand, SaysWhatTheChosenLimitsLeaveOut) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  const Ended ended = stats(dir.path(), {"--json", "--max-text-length", "6"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  const nlohmann::json configured = nlohmann::json::parse(ended.output)["configured"];
  EXPECT_EQ(configured["utterances_left_out"], 4);
  EXPECT_NEAR(configured["utterance_share_left_out"].get<double>(), 0.4, 1e-12);
  EXPECT_TRUE(configured["max_mel_frames"].is_null());
  EXPECT_EQ(configured["flags"], "--max-text-length 6");

  const nlohmann::json unlimited =
      nlohmann::json::parse(stats(dir.path(), {"--json"}).output)["configured"];
  EXPECT_EQ(unlimited["utterances_left_out"], 0);
  EXPECT_TRUE(unlimited["max_text_length"].is_null());
}

// One of the ten (u8) is held back, so nine are planned for.
TEST(StatsCommand, SaysTheShapesThatATrainingWouldHave) {
  const support::TempDir dir;
  write_ten_utterances(dir);
  const auto answer_to = [&](std::vector<std::string> words) {
    words.emplace_back("--json");
    const Ended ended = stats(dir.path(), std::move(words));
    EXPECT_EQ(ended.code, 0) << ended.errors;
    return nlohmann::json::parse(ended.output);
  };

  const nlohmann::json fixed = answer_to({"--enable-static-shapes", "--batch-size", "2"});
  EXPECT_EQ(fixed["shape_plan"]["signatures"][0]["batch"], 2);
  EXPECT_EQ(fixed["shape_plan"]["signatures"][0]["text"], 200);
  EXPECT_EQ(fixed["shape_plan"]["signatures"][0]["mel"], 224);
  EXPECT_EQ(fixed["configured"]["max_mel_frames"], 224);

  const nlohmann::json buckets = answer_to({"--shape-buckets", "2", "--batch-size", "1"});
  EXPECT_EQ(buckets["shape_plan"]["signatures"].size(), 2U);
  EXPECT_LT(buckets["padding"]["plan"].get<double>(), buckets["padding"]["fixed"].get<double>());
  EXPECT_EQ(buckets["padding"]["dynamic"], 0.0) << "a batch of one is as long as it is";
}

TEST(StatsCommand, DrawsHistogramsAndPrintsTheFlags) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  const Ended ended = stats(dir.path());

  ASSERT_EQ(ended.code, 0) << ended.errors;
  EXPECT_NE(ended.output.find("10 utterances, 0.00 h, 2 speakers"), std::string::npos);
  EXPECT_NE(ended.output.find("Recommended: --max-text-length 16 --max-mel-frames 224"),
            std::string::npos)
      << ended.output;
  EXPECT_NE(ended.errors.find("Next: myxtts"), std::string::npos);
}

TEST(StatsCommand, SkipsCountsAndNamesBadUtterances) {
  const support::TempDir dir;
  write_ten_utterances(dir);
  std::filesystem::remove(dir.path() / "wavs/u3.wav");

  const Ended ended = stats(dir.path(), {"--json"});

  EXPECT_EQ(ended.code, 0);
  const nlohmann::json answer = nlohmann::json::parse(ended.output);
  EXPECT_EQ(answer["utterances"], 9);
  EXPECT_EQ(answer["skipped"][0]["id"], "u3");
  EXPECT_NE(ended.errors.find("u3: missing"), std::string::npos) << ended.errors;
}

TEST(StatsCommand, WritesAPageOfItsOwn) {
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

TEST(StatsCommand, WithoutAGoodUtteranceTheWorkHasFailed) {
  const support::TempDir dir;
  dir.write("metadata.csv", "a|hello\n");

  const Ended ended = stats(dir.path());

  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.errors.find("myxtts corpus check"), std::string::npos) << ended.errors;
}

TEST(StatsCommand, ThePageDoesNotReplaceAFileOfTheCorpus) {
  const support::TempDir dir;
  write_ten_utterances(dir);

  for (const char* name : {"metadata.csv", "wavs/u3.wav"}) {
    const auto size = std::filesystem::file_size(dir.path() / name);
    EXPECT_EQ(stats(dir.path(), {"--html", (dir.path() / name).string()}).code, 2) << name;
    EXPECT_EQ(std::filesystem::file_size(dir.path() / name), size) << name;
  }
}

}  // namespace
}  // namespace xtts::cli
