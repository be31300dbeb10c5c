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
using support::contents;

// Runs the demo without training; tests/cli/demo_test.py trains.
CommandResult run_demo(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"demo", "--minutes", "0"});
  return support::run_myxtts(std::move(arguments));
}

TEST(DemoCommand, WritesAReportAndPrintsItsAddress) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "run").string();
  const std::vector<std::string> arguments = {
      "--out", out, "--utterances", "8", "--voices", "kal16", "--examples", "1"};

  const CommandResult result = run_demo(arguments);

  ASSERT_EQ(result.code, 0) << result.errors;
  const std::string page = contents(out + "/report.html");
  EXPECT_NE(page.find("<audio "), std::string::npos);
  EXPECT_NE(page.find("data:image/png;base64,"), std::string::npos);
  EXPECT_LT(page.size(), std::size_t{6} << 20U);
  EXPECT_NE(result.output.find("file://" + out + "/report.html"), std::string::npos);
  EXPECT_NE(result.output.find("Recommended: --max-text-length"), std::string::npos);
  EXPECT_NE(result.errors.find("created 8, kept 0"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("Next: myxtts"), std::string::npos);

  const CommandResult again = run_demo(arguments);
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.errors.find("created 0, kept 8"), std::string::npos) << again.errors;
  EXPECT_EQ(contents(out + "/report.html"), page);
}

TEST(DemoCommand, PrintsJson) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "run").string();

  const CommandResult result = run_demo(
      {"--out", out, "--utterances", "4", "--voices", "kal16", "--examples", "0", "--json"});

  ASSERT_EQ(result.code, 0) << result.errors;
  const nlohmann::json output = nlohmann::json::parse(result.output);
  EXPECT_EQ(output["report"], out + "/report.html");
  EXPECT_EQ(output["corpus"], out + "/corpus");
  EXPECT_EQ(output["bad"], 0);
  EXPECT_EQ(output["stats"]["utterances"], 3);
  EXPECT_GT(output["stats"]["recommended"]["max_mel_frames"].get<int>(), 0);
}

TEST(DemoCommand, AWrongCommandLineExitsWithTwo) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "run").string();

  EXPECT_EQ(run_demo({"--out", out, "--utterances", "0"}).code, 2);
  EXPECT_EQ(run_demo({"--out", out, "--voices", "unknown"}).code, 2);
  EXPECT_EQ(run_demo({"--out", out, "--frobnicate"}).code, 2);
  EXPECT_EQ(support::run_myxtts({"demo", "--out", out, "--minutes", "-1"}).code, 2);
  EXPECT_EQ(support::run_myxtts({"demo", "--out", out, "--minutes", "nan"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(DemoCommand, AFileThatIsNotAReportIsNotOverwritten) {
  const support::TempDir dir;
  const auto page = dir.write("run/report.html", "<title>Mine</title>");

  const CommandResult result =
      run_demo({"--out", (dir.path() / "run").string(), "--utterances", "2"});

  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(contents(page), "<title>Mine</title>");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "run/corpus"));
}

TEST(DemoCommand, PrintedCommandsAndAddressesHandleSpaces) {
  const support::TempDir dir;
  const std::string out = (dir.path() / "my run").string();

  const CommandResult result =
      run_demo({"--out", out, "--utterances", "2", "--voices", "kal16", "--examples", "0"});

  EXPECT_NE(result.output.find("/my%20run/report.html"), std::string::npos) << result.output;
  EXPECT_NE(result.errors.find("--train-data '" + out + "/corpus'"), std::string::npos)
      << result.errors;
}

}  // namespace
}  // namespace myxtts::cli
