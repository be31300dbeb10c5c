#include "cli/shell_words.h"

#include <gtest/gtest.h>

namespace xtts::cli {
namespace {

TEST(ProgramName, IsThePathItWasCalledBy) {
  set_program_name("build/release/myxtts");
  EXPECT_EQ(command_line({"audio", "a b.wav"}), "build/release/myxtts audio 'a b.wav'");

  set_program_name("myxtts");
  EXPECT_EQ(command_line({"demo"}), "myxtts demo");
}

TEST(ConfigWords, SayAgainWhatWasTyped) {
  ConfigArgs args;
  args.file = "my config.yaml";
  args.sets = {"data.add_blank=true"};
  args.flags = {{"data.language", "fa"}, {"data.use_phonemes", "false"}, {"data.num_workers", "1"}};

  const std::vector<std::string> words = config_words(args, {"data.use_phonemes"});

  EXPECT_EQ(words,
            (std::vector<std::string>{"--config",
                                      "my config.yaml",
                                      "--set",
                                      "data.add_blank=true",
                                      "--language",
                                      "fa",
                                      "--set",
                                      "data.use_phonemes=false"}));
  EXPECT_TRUE(config_words({}).empty());
}

}  // namespace
}  // namespace xtts::cli
