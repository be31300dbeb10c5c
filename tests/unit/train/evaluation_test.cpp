#include "train/evaluation.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/temp_dir.h"

namespace xtts::train {
namespace {

speak::Judgement answer_of(const std::string& name, double value) {
  return {.numbers = {{"words", 10}, {name, value}}};
}

TEST(IsBest, TheFirstAnswerThatCanBeComparedIs) {
  EXPECT_TRUE(is_best(answer_of("word_error_rate", 0.9), std::nullopt));
  EXPECT_TRUE(is_best(answer_of("score", -3.0), std::nullopt));
  EXPECT_FALSE(is_best(answer_of("mos", 4.0), std::nullopt));
}

TEST(IsBest, LaterOnesMustBeBetter) {
  const Judged best{.step = 3, .answer = answer_of("word_error_rate", 0.5)};
  const Judged liked{.step = 3, .answer = answer_of("score", 3.0)};

  EXPECT_TRUE(is_best(answer_of("word_error_rate", 0.4), best));
  EXPECT_FALSE(is_best(answer_of("word_error_rate", 0.5), best)) << "the older one stays";
  EXPECT_FALSE(is_best(answer_of("word_error_rate", 0.6), best));
  EXPECT_TRUE(is_best(answer_of("score", 3.1), liked));
  EXPECT_FALSE(is_best(answer_of("score", 2.9), liked));
}

TEST(DescribeJudgement, TellsTheFirstFewNumbers) {
  EXPECT_EQ(describe({.numbers = {{"word_error_rate", 0.095}, {"words", 1900}}}),
            "word_error_rate 0.0950, words 1900");
  EXPECT_EQ(describe({.numbers = {{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}}}),
            "a 1, b 2, c 3, d 4");
  EXPECT_EQ(describe({.numbers = {{"\x1B[2J", 0.5}}}), "\\x1b[2J 0.5000");
}

TEST(JudgedJson, ComesBackAsItWas) {
  EXPECT_TRUE(judged_json(std::nullopt).is_null());
  EXPECT_FALSE(parse_judged(nullptr).has_value());
  const Judged judged{.step = 7, .answer = {.numbers = {{"z", 0.1}, {"a", 3}}}};

  const std::string text = judged_json(judged).dump();
  const std::optional<Judged> read = parse_judged(nlohmann::ordered_json::parse(text));

  EXPECT_EQ(text, R"({"step":7,"score":{"z":0.1,"a":3.0}})");
  EXPECT_EQ(read->step, 7);
  EXPECT_EQ(read->answer.numbers, judged.answer.numbers);
}

TEST(SentencesToJudge, NeedAFileAndAJudge) {
  const support::TempDir dir;
  config::TrainingConfig training;
  training.evaluate_text = dir.write("lines.txt", "one\n\ntwo\n").string();
  EXPECT_TRUE(sentences_to_judge(training).empty()) << "switched off";

  training.evaluate_every = 5;
  EXPECT_THROW(sentences_to_judge(training), UsageError);
  training.evaluate_judge = "judge";
  EXPECT_EQ(sentences_to_judge(training).size(), 2U);
  training.evaluate_text = dir.write("blank.txt", "\n").string();
  EXPECT_THROW(sentences_to_judge(training), UsageError);
  training.evaluate_text.reset();
  EXPECT_THROW(sentences_to_judge(training), UsageError);
}

}  // namespace
}  // namespace xtts::train
