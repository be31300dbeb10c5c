#include "rules/suggestion.h"

#include <gtest/gtest.h>

namespace xtts::rules {
namespace {

std::string remedy_with(const std::string& suggestion, const SuggestionFlags& words) {
  Findings findings = {{.id = "a", .message = "b", .suggestion = suggestion}};
  complete_suggestions(findings, words);
  return findings[0].suggestion;
}

TEST(CompleteRemedies, ACommandGetsItsCorpusAndItsConfiguration) {
  const SuggestionFlags words{
      .program = "bin/myxtts", .corpus = "'my corpus'", .config = "--config c.yaml"};

  EXPECT_EQ(remedy_with("myxtts corpus check", words),
            "bin/myxtts corpus check 'my corpus' --config c.yaml");
  EXPECT_EQ(remedy_with("myxtts corpus check --long-silence 0.5", words),
            "bin/myxtts corpus check 'my corpus' --long-silence 0.5 --config c.yaml");
  EXPECT_EQ(remedy_with("myxtts diagnose bottleneck", words),
            "bin/myxtts diagnose bottleneck --train-data 'my corpus' --config c.yaml");
  EXPECT_EQ(remedy_with("taskset -c 0-3 myxtts train", words),
            "taskset -c 0-3 bin/myxtts train --train-data 'my corpus' --config c.yaml");
}

TEST(CompleteRemedies, WhatIsNotKnownIsLeftOut) {
  EXPECT_EQ(remedy_with("myxtts corpus check", {}), "myxtts corpus check");
  EXPECT_EQ(remedy_with("myxtts diagnose bottleneck", {.config = "--config runs/a/config.yaml"}),
            "myxtts diagnose bottleneck --config runs/a/config.yaml");
}

TEST(CompleteRemedies, FlagsAndSentencesStayAsTheyAre) {
  for (const char* suggestion : {"--num-workers 3", "", "measure again when they have ended"})
    EXPECT_EQ(remedy_with(suggestion, {.corpus = "corpus", .config = "--config c.yaml"}),
              suggestion);
}

TEST(IsTyped, TellsFlagsAndCommandsFromSentences) {
  EXPECT_TRUE(is_typed("--num-workers 3"));
  EXPECT_TRUE(is_typed("'my bin'/myxtts corpus check corpus"));
  EXPECT_TRUE(is_typed("taskset -c 0-1 myxtts train"));
  EXPECT_FALSE(is_typed("measure again when they have ended"));
}

}  // namespace
}  // namespace xtts::rules
