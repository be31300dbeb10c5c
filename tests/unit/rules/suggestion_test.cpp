#include "rules/suggestion.h"

#include <gtest/gtest.h>

namespace myxtts::rules {
namespace {

std::string completed(const std::string& suggestion, const SuggestionFlags& flags) {
  Findings findings = {{.id = "a", .message = "b", .suggestion = suggestion}};
  complete_suggestions(findings, flags);
  return findings[0].suggestion;
}

TEST(CompleteSuggestions, AddsCorpusAndConfigurationToCommands) {
  const SuggestionFlags flags{
      .program = "bin/myxtts", .corpus = "'my corpus'", .config = "--config c.yaml"};

  EXPECT_EQ(completed("myxtts corpus check", flags),
            "bin/myxtts corpus check 'my corpus' --config c.yaml");
  EXPECT_EQ(completed("myxtts corpus check --long-silence 0.5", flags),
            "bin/myxtts corpus check 'my corpus' --long-silence 0.5 --config c.yaml");
  EXPECT_EQ(completed("myxtts diagnose bottleneck", flags),
            "bin/myxtts diagnose bottleneck --train-data 'my corpus' --config c.yaml");
  EXPECT_EQ(completed("taskset -c 0-3 myxtts train", flags),
            "taskset -c 0-3 bin/myxtts train --train-data 'my corpus' --config c.yaml");
}

TEST(CompleteSuggestions, OmitsUnknownValues) {
  EXPECT_EQ(completed("myxtts corpus check", {}), "myxtts corpus check");
  EXPECT_EQ(completed("myxtts diagnose bottleneck", {.config = "--config runs/a/config.yaml"}),
            "myxtts diagnose bottleneck --config runs/a/config.yaml");
}

TEST(CompleteSuggestions, KeepsFlagsAndSentences) {
  for (const char* suggestion : {"--num-workers 3", "", "measure again without other programs"})
    EXPECT_EQ(completed(suggestion, {.corpus = "corpus", .config = "--config c.yaml"}), suggestion);
}

TEST(IsCommand, DistinguishesCommandsFromSentences) {
  EXPECT_TRUE(is_command("--num-workers 3"));
  EXPECT_TRUE(is_command("'my bin'/myxtts corpus check corpus"));
  EXPECT_TRUE(is_command("taskset -c 0-1 myxtts train"));
  EXPECT_FALSE(is_command("measure again without other programs"));
}

}  // namespace
}  // namespace myxtts::rules
