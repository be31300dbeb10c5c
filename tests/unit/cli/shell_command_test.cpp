#include "cli/shell_command.h"

#include <gtest/gtest.h>

namespace myxtts::cli {
namespace {

TEST(ProgramName, KeepsThePathOfTheCall) {
  set_program_name("build/release/myxtts");
  EXPECT_EQ(command_line({"audio", "a b.wav"}), "build/release/myxtts audio 'a b.wav'");

  set_program_name("myxtts");
  EXPECT_EQ(command_line({"demo"}), "myxtts demo");
}

TEST(ConfigArguments, RepeatTheConfigurationOfTheCall) {
  ConfigArgs args;
  args.file = "my config.yaml";
  args.sets = {"data.add_blank=true"};
  args.flags = {{"data.language", "fa"}, {"data.use_phonemes", "false"}, {"data.num_workers", "1"}};

  const std::vector<std::string> arguments = config_arguments(args, {"data.use_phonemes"});

  EXPECT_EQ(arguments,
            (std::vector<std::string>{"--config",
                                      "my config.yaml",
                                      "--set",
                                      "data.add_blank=true",
                                      "--language",
                                      "fa",
                                      "--set",
                                      "data.use_phonemes=false"}));
  EXPECT_TRUE(config_arguments({}).empty());
}

TEST(SuggestionFlags, HaveTheCorpusAndTheConfigurationOfTheCall) {
  ConfigArgs args;
  args.file = "my config.yaml";
  args.sets = {"data.val_split=0"};
  args.flags = {{"data.dataset_path", "my corpus"}, {"data.batch_size", "8"}};

  const rules::SuggestionFlags flags = suggestion_flags(args);

  EXPECT_EQ(flags.corpus, "'my corpus'");
  EXPECT_EQ(flags.config,
            "--config 'my config.yaml' --set data.val_split=0 --set data.batch_size=8");
  EXPECT_EQ(suggestion_flags({}).config, "");
  EXPECT_EQ(suggestion_flags_of_run("runs/a b").config, "--config 'runs/a b/config.yaml'");
}

}  // namespace
}  // namespace myxtts::cli
