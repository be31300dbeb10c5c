#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "config/resolve.h"
#include "config/write_yaml.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

// Returns the standard output of `myxtts config ...`.
std::string output_of(std::vector<std::string> arguments) {
  CLI::App app("this test");
  add_config_command(app);
  arguments.insert(arguments.begin(), "config");
  std::ranges::reverse(arguments);  // CLI11 parses from the back
  testing::internal::CaptureStdout();
  try {
    app.parse(arguments);
  } catch (...) {
    testing::internal::GetCapturedStdout();
    throw;
  }
  return testing::internal::GetCapturedStdout();
}

TEST(CommandConfig, ShowPrintsYamlThatReadsBackAsTheSameConfiguration) {
  const config::Resolved back = config::parse_yaml(
      output_of({"show", "--set", "data.batch_size=8", "--set", "model.n_fft=2048"}), "shown");

  config::Config expected;
  expected.data.batch_size = 8;
  expected.model.n_fft = 2048;
  EXPECT_TRUE(config::differences(back.config, expected).empty());
}

TEST(CommandConfig, ShowAsJsonNamesTheOriginOfEachValue) {
  const support::TempDir dir;
  const std::string file = dir.write("x.yaml", "\ndata:\n  val_split: 0.25\n").string();

  const auto report = nlohmann::json::parse(
      output_of({"show", "--json", "--config", file, "--set", "data.shape_buckets=4"}));

  EXPECT_EQ(report["config"]["data"]["val_split"], 0.25);
  EXPECT_EQ(report["config"]["data"]["shape_buckets"], 4);
  EXPECT_TRUE(report["config"]["data"]["max_mel_frames"].is_null());
  EXPECT_EQ(report["origins"]["data.val_split"], file + ":3");
  EXPECT_EQ(report["origins"]["data.shape_buckets"], "--set");
  EXPECT_EQ(report["origins"]["model.n_fft"], "default");
}

TEST(CommandConfig, ShowAsJsonAcceptsAFileNameThatIsNotUtf8) {
  const support::TempDir dir;
  const std::string file = dir.write("x\xff.yaml", "data: {val_split: 0.25}\n").string();

  const auto report = nlohmann::json::parse(output_of({"show", "--json", "--config", file}));

  EXPECT_EQ(report["config"]["data"]["val_split"], 0.25);
}

TEST(CommandConfig, TheSampleConfigurationHasNoWarnings) {
  const auto report = nlohmann::json::parse(
      output_of({"show", "--json", "--config", MYXTTS_SOURCE_DIR "/configs/config.yaml"}));

  EXPECT_TRUE(report["warnings"].empty()) << report["warnings"].dump();
}

TEST(CommandConfig, ShowChangedOmitsDefaults) {
  const auto report = nlohmann::json::parse(
      output_of({"show", "--json", "--changed", "--set", "data.batch_size=8"}));

  EXPECT_EQ(report["config"].dump(), R"({"data":{"batch_size":8}})");
}

TEST(CommandConfig, ShowResolvesPresetsAndListsTheirValues) {
  const std::string yaml = output_of({"show", "--model-size", "small"});
  const auto report = nlohmann::json::parse(
      output_of({"show", "--json", "--changed", "--optimization-level", "plateau_breaker"}));

  EXPECT_NE(yaml.find("  decoder_dim: 384 "), std::string::npos);
  EXPECT_NE(yaml.find("[from model_size small]"), std::string::npos);
  EXPECT_NE(yaml.find("# Presets of model.model_size, for keys without a value"),
            std::string::npos);
  EXPECT_EQ(report["config"]["training"]["gradient_clip_norm"], 0.5);
  EXPECT_EQ(report["origins"]["training.gradient_clip_norm"], "optimization_level plateau_breaker");
}

TEST(CommandConfig, DiffListsChangedKeys) {
  const support::TempDir dir;
  const std::string left = dir.write("a.yaml", "data: {batch_size: 8}").string();
  const std::string right = dir.write("b.yaml", "training: {learning_rate: 0.001}").string();

  EXPECT_EQ(output_of({"diff", left}), "data.batch_size: 16 -> 8\n");
  EXPECT_EQ(output_of({"diff", left, right}),
            "data.batch_size: 8 -> 16\ntraining.learning_rate: 0.002 -> 0.001\n");
  const auto report = nlohmann::json::parse(output_of({"diff", left, "--json"}));
  EXPECT_EQ(report["differences"][0]["key"], "data.batch_size");
  EXPECT_EQ(output_of({"diff", left, left}), "");
  const std::string level =
      dir.write("c.yaml", "training: {optimization_level: experimental}").string();
  EXPECT_EQ(output_of({"diff", level}),
            "training.optimization_level: enhanced -> experimental\n"
            "training.learning_rate: 0.002 -> 0.003\n"
            "training.warmup_steps: 200 -> 100\n");
}

TEST(CommandConfig, AMissingFileIsAUsageErrorThatSuggestsTheNearestName) {
  const support::TempDir dir;
  dir.write("voice.yaml", "");

  try {
    output_of({"show", "--config", (dir.path() / "voise.yaml").string()});
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'voice.yaml'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace myxtts::cli
