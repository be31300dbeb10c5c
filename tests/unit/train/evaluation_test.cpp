#include "train/evaluation.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::train {
namespace {

synthesis::Judgement judgement_of(const std::string& name, double value) {
  return {.numbers = {{"words", 10}, {name, value}}};
}

TEST(IsBest, TheFirstComparableJudgementIsTheBest) {
  EXPECT_TRUE(is_best(judgement_of("word_error_rate", 0.9), std::nullopt));
  EXPECT_TRUE(is_best(judgement_of("score", -3.0), std::nullopt));
  EXPECT_FALSE(is_best(judgement_of("mos", 4.0), std::nullopt));
}

TEST(IsBest, ALaterJudgementMustBeBetter) {
  const JudgedStep best{.step = 3, .judgement = judgement_of("word_error_rate", 0.5)};
  const JudgedStep scored{.step = 3, .judgement = judgement_of("score", 3.0)};

  EXPECT_TRUE(is_best(judgement_of("word_error_rate", 0.4), best));
  EXPECT_FALSE(is_best(judgement_of("word_error_rate", 0.5), best))
      << "the older step stays the best";
  EXPECT_FALSE(is_best(judgement_of("word_error_rate", 0.6), best));
  EXPECT_TRUE(is_best(judgement_of("score", 3.1), scored));
  EXPECT_FALSE(is_best(judgement_of("score", 2.9), scored));
}

TEST(FormatJudgement, ShowsTheFirstNumbers) {
  EXPECT_EQ(format_judgement({.numbers = {{"word_error_rate", 0.095}, {"words", 1900}}}),
            "WER 9.5 %, words 1900");
  EXPECT_EQ(format_judgement({.numbers = {{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}}}),
            "a 1, b 2, c 3, d 4");
  EXPECT_EQ(format_judgement({.numbers = {{"\x1B[2J", 0.5}}}), "\\x1b[2J 0.5000");
}

TEST(JudgedJson, RoundTripsExactly) {
  EXPECT_TRUE(judged_json(std::nullopt).is_null());
  EXPECT_FALSE(parse_judged(nullptr).has_value());
  const JudgedStep judged{.step = 7, .judgement = {.numbers = {{"z", 0.1}, {"a", 3}}}};

  const std::string text = judged_json(judged).dump();
  const std::optional<JudgedStep> read = parse_judged(nlohmann::ordered_json::parse(text));

  EXPECT_EQ(text, R"({"step":7,"score":{"z":0.1,"a":3.0}})");
  EXPECT_EQ(read->step, 7);
  EXPECT_EQ(read->judgement.numbers, judged.judgement.numbers);
}

TEST(EvaluationSentences, RequireAFileAndAJudge) {
  const support::TempDir dir;
  config::TrainingConfig training;
  training.evaluate_text = dir.write("lines.txt", "one\n\ntwo\n").string();
  EXPECT_TRUE(evaluation_sentences(training).empty()) << "disabled";

  training.evaluate_every = 5;
  EXPECT_THROW(evaluation_sentences(training), UsageError);
  training.evaluate_judge = "judge";
  EXPECT_EQ(evaluation_sentences(training).size(), 2U);
  training.evaluate_text = dir.write("blank.txt", "\n").string();
  EXPECT_THROW(evaluation_sentences(training), UsageError);
  training.evaluate_text.reset();
  EXPECT_THROW(evaluation_sentences(training), UsageError);
}

}  // namespace
}  // namespace myxtts::train
