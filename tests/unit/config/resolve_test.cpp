#include "config/resolve.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::config {
namespace {

std::string error_of_layers(const Layers& layers) {
  try {
    resolve(layers);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string error_of_yaml(const std::string& yaml) {
  try {
    parse_yaml(yaml, "x.yaml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Resolve, FlagOverridesSetOverridesFileOverridesDefault) {
  const support::TempDir dir;
  Layers layers;
  EXPECT_EQ(resolve(layers).config.data.batch_size, 16);

  layers.file = dir.write("x.yaml", "data:\n  batch_size: 4\n  num_workers: 4\n");
  EXPECT_EQ(resolve(layers).config.data.batch_size, 4);

  layers.sets = {"data.batch_size=5", "data.batch_size=6"};
  EXPECT_EQ(resolve(layers).config.data.batch_size, 6);

  layers.flags = {{"data.batch_size", "8"}};
  const Resolved resolved = resolve(layers);
  EXPECT_EQ(resolved.config.data.batch_size, 8);
  EXPECT_EQ(resolved.config.data.num_workers, 4);
  EXPECT_EQ(resolved.origins.at("data.batch_size"), "flag");
  EXPECT_EQ(resolved.origins.at("data.num_workers"), layers.file->string() + ":3");
  EXPECT_FALSE(resolved.origins.contains("data.val_split"));
}

TEST(Resolve, AMissingFileSuggestsTheNearestName) {
  const support::TempDir dir;
  dir.write("config.yaml", "");

  const std::string error_message =
      error_of_layers({.file = dir.path() / "confg.yaml", .sets = {}, .flags = {}});

  EXPECT_NE(error_message.find("does not exist"), std::string::npos);
  EXPECT_NE(error_message.find("did you mean 'config.yaml'?"), std::string::npos) << error_message;
}

TEST(Resolve, AnUnreadableFileIsReportedWithItsReason) {
  const support::TempDir dir;
  const std::filesystem::path loop = dir.path() / "loop.yaml";
  std::filesystem::create_symlink(loop, loop);
  const auto error_of_file = [](const std::filesystem::path& file) {
    return error_of_layers({.file = file, .sets = {}, .flags = {}});
  };

  EXPECT_EQ(error_of_file(dir.path()),
            "configuration file '" + dir.path().string() +
                "' is a folder; expected a YAML file of at most 1048576 bytes");
  EXPECT_NE(error_of_file("/dev/null").find("' is not a regular file;"), std::string::npos);
  EXPECT_NE(error_of_file(loop).find("symbolic link loop"), std::string::npos);
  EXPECT_NE(error_of_file(dir.write("long.yaml", std::string((1U << 20U) + 1, '#')))
                .find("is too large (1048577 bytes"),
            std::string::npos);
}

TEST(Resolve, UnknownKeysSuggestTheNearestKnownKey) {
  EXPECT_EQ(error_of_yaml("data:\n  batch_sise: 4\n"),
            "x.yaml:2: data.batch_sise: no such key; did you mean 'data.batch_size'?");
  EXPECT_EQ(error_of_yaml("data:\n  learning_rate: 4\n"),
            "x.yaml:2: data.learning_rate: no such key; did you mean 'training.learning_rate'?");
  EXPECT_EQ(error_of_yaml("batch_size: 4\n"),
            "x.yaml:1: batch_size: expected a section; this key is data.batch_size");
  EXPECT_EQ(error_of_yaml("trainign:\n  epochs: 4\n"),
            "x.yaml:1: trainign: no such section; expected data, model or training; did you mean "
            "'training'?");
  EXPECT_EQ(error_of_layers({.file = {}, .sets = {"batch_size=4"}, .flags = {}}),
            "--set batch_size=4: no such key; did you mean 'data.batch_size'?");
  EXPECT_EQ(error_of_layers({.file = {}, .sets = {"modle.n_fft=4"}, .flags = {}}),
            "--set modle.n_fft=4: no such key; did you mean 'model.n_fft'?");
}

TEST(Resolve, AllProblemsAreReportedAtOnce) {
  const std::string error_message = error_of_layers(
      {.file = {},
       .sets = {"data.batch_sise=4", "data.val_split=x", "model.win_length=2048", "data.language"},
       .flags = {{"training.learning_rate", "-1"}}});

  for (const char* part : {"6 problems",
                           "data.batch_sise",
                           "--set data.val_split=x: expected number, found 'x'",
                           "model.win_length (2048)",
                           "--set data.language: expected KEY=VALUE",
                           "training.learning_rate is -1.0"}) {
    EXPECT_NE(error_message.find(part), std::string::npos) << part << " in " << error_message;
  }
}

TEST(Resolve, WrongDocumentStructureIsReported) {
  EXPECT_NE(error_of_yaml("- a\n").find("found a list"), std::string::npos);
  EXPECT_NE(error_of_yaml("data: 5\n").find("expected a section with keys, found '5'"),
            std::string::npos);
  EXPECT_NE(error_of_yaml("data:\n  batch_size: [1]\n").find("found a list"), std::string::npos);
  EXPECT_EQ(error_of_yaml("data:\nmodel:\n  n_fft: 512\n"), "");
  EXPECT_NE(error_of_yaml("data: [\n").find("x.yaml:2: "), std::string::npos);
}

TEST(Resolve, AKeyAndItsAliasInAnotherSectionMustAgree) {
  EXPECT_EQ(parse_yaml("data: {sample_rate: 16000}", "x.yaml").config.model.sample_rate, 16000);
  EXPECT_EQ(parse_yaml("model: {max_text_length: 90}", "x.yaml").config.data.max_text_length, 90);
  EXPECT_EQ(error_of_yaml("data: {sample_rate: 16000}\nmodel: {sample_rate: 16000}"), "");
  EXPECT_EQ(
      error_of_yaml("data: {sample_rate: 16000}\nmodel: {sample_rate: 22050}"),
      "x.yaml:2: model.sample_rate is 22050, but data.sample_rate is 16000; both keys are one "
      "setting, remove one");
  EXPECT_NE(
      error_of_layers({.file = {}, .sets = {"data.n_mels=80", "model.n_mels=64"}, .flags = {}}),
      "");
}

TEST(Resolve, AHigherLayerMayOverrideByKeyOrAlias) {
  const support::TempDir dir;
  const Layers layers{.file = dir.write("x.yaml", "model: {sample_rate: 44100}"),
                      .sets = {"data.sample_rate=16000"},
                      .flags = {}};

  EXPECT_EQ(resolve(layers).config.model.sample_rate, 16000);
}

TEST(Resolve, IgnoredKeysCauseAWarningWithTheReason) {
  const Resolved resolved =
      parse_yaml("training: {use_wandb: true, scheduler_params: {a: 1}}", "x");

  ASSERT_EQ(resolved.warnings.size(), 2U);
  EXPECT_EQ(resolved.warnings[0].find(
                "training.use_wandb: accepted for compatibility, has no effect here: "),
            0U);
  EXPECT_TRUE(resolved.origins.empty());
}

// Two keys choose between fixed, bucketed and dynamic shapes.
TEST(Resolve, TheHigherLayerDeterminesTheShapes) {
  const support::TempDir dir;
  const auto shapes = [](const Layers& layers) {
    const DataConfig data = resolve(layers).config.data;
    return std::pair(data.pad_to_fixed_length, data.shape_buckets);
  };
  using Shapes = std::pair<std::optional<bool>, std::optional<int>>;
  Layers layers;
  layers.run_file = dir.write("run.yaml", "data:\n  pad_to_fixed_length: true\n");
  EXPECT_EQ(shapes(layers), (Shapes{true, {}}));

  layers.file = dir.write("x.yaml", "data:\n  shape_buckets: 4\n");
  EXPECT_EQ(shapes(layers), (Shapes{{}, 4}));
  layers.sets = {"data.pad_to_fixed_length=false"};
  EXPECT_EQ(shapes(layers), (Shapes{false, {}}));
  layers.flags = {{"data.shape_buckets", "auto"}};
  EXPECT_EQ(shapes(layers), (Shapes{{}, {}}));
  EXPECT_FALSE(resolve(layers).origins.contains("data.pad_to_fixed_length"));

  layers.flags.push_back({"data.pad_to_fixed_length", "true"});
  EXPECT_EQ(shapes(layers), (Shapes{true, {}}));
  layers.flags.front().value = "3";
  EXPECT_NE(error_of_layers(layers).find("means one shape, but data.shape_buckets is 3"),
            std::string::npos);
}

TEST(Resolve, StopsAtFiftyProblemsInAFile) {
  std::string yaml = "data:\n";
  for (int i = 0; i < 9000; ++i)
    yaml += "  key_" + std::to_string(i) + ": 1\n";

  const std::string error_message = error_of_yaml(yaml);

  EXPECT_TRUE(error_message.starts_with("50 problems")) << error_message.substr(0, 80);
}

}  // namespace
}  // namespace myxtts::config
