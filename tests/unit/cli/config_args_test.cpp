#include "cli/config_args.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/field.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

// Parses the arguments of a command that reads these keys.
config::Resolved resolved_from(std::vector<std::string> arguments,
                               std::initializer_list<const char*> keys) {
  CLI::App app("test command");
  ConfigArgs args;
  add_config_options(app, args, keys);
  std::ranges::reverse(arguments);  // CLI11 parses from the back
  app.parse(arguments);
  return resolve_with_origins(args);
}

TEST(ConfigArgs, FlagsOverrideSetAndSetOverridesTheFile) {
  const support::TempDir dir;
  const std::string file = dir.write("x.yaml", "data: {batch_size: 4, num_workers: 4}").string();

  const config::Resolved resolved = resolved_from({"--batch-size",
                                                   "8",
                                                   "--set",
                                                   "data.batch_size=6",
                                                   "--config",
                                                   file,
                                                   "--set",
                                                   "data.num_workers=2"},
                                                  {"data.batch_size"});

  EXPECT_EQ(resolved.config.data.batch_size, 8);
  EXPECT_EQ(resolved.config.data.num_workers, 2);
  EXPECT_EQ(resolved.origins.at("data.batch_size"), "flag");
}

TEST(ConfigArgs, SwitchesTurnOnAndOff) {
  const auto keys = {"data.use_phonemes", "data.pad_to_fixed_length"};

  EXPECT_FALSE(resolved_from({"--no-use-phonemes"}, keys).config.data.use_phonemes);
  EXPECT_TRUE(resolved_from({"--use-phonemes"}, keys).config.data.use_phonemes);
  EXPECT_EQ(resolved_from({"--pad-to-fixed-length"}, keys).config.data.pad_to_fixed_length, true);
  EXPECT_EQ(resolved_from({"--enable-static-shapes"}, keys).config.data.pad_to_fixed_length, true);
  EXPECT_EQ(resolved_from({"--dynamic-shapes"}, keys).config.data.pad_to_fixed_length, false);
  EXPECT_EQ(resolved_from({}, keys).config.data.pad_to_fixed_length, std::nullopt);
}

TEST(ConfigArgs, ContradictingSwitchesAreRefused) {
  EXPECT_THROW(resolved_from({"--use-phonemes", "--no-use-phonemes"}, {"data.use_phonemes"}),
               UsageError);
}

TEST(ConfigArgs, NegativeNumbersAreValuesNotFlags) {
  const auto keys = {"data.target_loudness_lufs"};

  EXPECT_EQ(resolved_from({"--target-loudness-lufs", "-20"}, keys).config.data.target_loudness_lufs,
            -20);
  EXPECT_EQ(resolved_from({"--target-loudness-lufs=-20"}, keys).config.data.target_loudness_lufs,
            -20);
}

TEST(ConfigArgs, AnErrorNamesTheFlagOfAWrongValue) {
  try {
    resolved_from({"--batch-size", "many"}, {"data.batch_size"});
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "--batch-size many: expected integer, found 'many'");
  }
}

TEST(ConfigArgs, EveryFieldCanBeAFlag) {
  config::Config config;
  CLI::App app("test command");
  ConfigArgs args;
  for (const config::Field& field : config::fields_of(config)) {
    EXPECT_NO_THROW(
        add_config_options(*app.add_subcommand(field.key()), args, {field.key().c_str()}))
        << field.key();
  }
}

TEST(ConfigArgs, AnUnknownKeyIsABug) {
  CLI::App app("test command");
  ConfigArgs args;

  EXPECT_THROW(add_config_options(app, args, {"data.batch_sise"}), BugError);
}

}  // namespace
}  // namespace myxtts::cli
