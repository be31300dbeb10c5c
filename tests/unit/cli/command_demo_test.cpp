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

using support::contents;
using support::Ended;

// The half without tensors; tests/cli/demo_test.py trains.
Ended run_demo(std::vector<std::string> words) {
  words.insert(words.begin(), {"demo", "--minutes", "0"});
  return support::run_myxtts(std::move(words));
}

TEST(DemoCommand, WritesAPageAndSaysWhereItIs) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "run").string();
  const std::vector<std::string> words = {
      "--out", out, "--utterances", "8", "--voices", "kal16", "--examples", "1"};

  const Ended ended = run_demo(words);

  ASSERT_EQ(ended.code, 0) << ended.errors;
  const std::string page = contents(out + "/report.html");
  EXPECT_NE(page.find("<audio "), std::string::npos);
  EXPECT_NE(page.find("data:image/png;base64,"), std::string::npos);
  EXPECT_LT(page.size(), std::size_t{6} << 20U);
  EXPECT_NE(ended.output.find("file://" + out + "/report.html"), std::string::npos);
  EXPECT_NE(ended.output.find("Recommended: --max-text-length"), std::string::npos);
  EXPECT_NE(ended.errors.find("made 8, kept 0"), std::string::npos) << ended.errors;
  EXPECT_NE(ended.errors.find("Next: myxtts"), std::string::npos);

  const Ended again = run_demo(words);
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.errors.find("made 0, kept 8"), std::string::npos) << again.errors;
  EXPECT_EQ(contents(out + "/report.html"), page);
}

TEST(DemoCommand, AnswersMachines) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "run").string();

  const Ended ended = run_demo(
      {"--out", out, "--utterances", "4", "--voices", "kal16", "--examples", "0", "--json"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  const nlohmann::json answer = nlohmann::json::parse(ended.output);
  EXPECT_EQ(answer["report"], out + "/report.html");
  EXPECT_EQ(answer["corpus"], out + "/corpus");
  EXPECT_EQ(answer["bad"], 0);
  EXPECT_EQ(answer["stats"]["utterances"], 3);
  EXPECT_GT(answer["stats"]["recommended"]["max_mel_frames"].get<int>(), 0);
}

TEST(DemoCommand, AWrongCommandLineIsExitTwo) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "run").string();

  EXPECT_EQ(run_demo({"--out", out, "--utterances", "0"}).code, 2);
  EXPECT_EQ(run_demo({"--out", out, "--voices", "nobody"}).code, 2);
  EXPECT_EQ(run_demo({"--out", out, "--frobnicate"}).code, 2);
  EXPECT_EQ(support::run_myxtts({"demo", "--out", out, "--minutes", "-1"}).code, 2);
  EXPECT_EQ(support::run_myxtts({"demo", "--out", out, "--minutes", "nan"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(DemoCommand, APageOfSomebodyElseStays) {
  const support::TempDir dir;
  const auto page = dir.write("run/report.html", "<title>Mine</title>");

  const Ended ended = run_demo({"--out", (dir.path() / "run").string(), "--utterances", "2"});

  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(contents(page), "<title>Mine</title>");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "run/corpus"));
}

TEST(DemoCommand, WhatItSaysToRunAndToOpenSurvivesSpaces) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "my run").string();

  const Ended ended =
      run_demo({"--out", out, "--utterances", "2", "--voices", "kal16", "--examples", "0"});

  EXPECT_NE(ended.output.find("/my%20run/report.html"), std::string::npos) << ended.output;
  EXPECT_NE(ended.errors.find("--train-data '" + out + "/corpus'"), std::string::npos)
      << ended.errors;
}

}  // namespace
}  // namespace xtts::cli
