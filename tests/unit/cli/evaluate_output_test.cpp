#include "cli/evaluate_output.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace myxtts::cli {
namespace {

Evaluation judged_evaluation() {
  Evaluation evaluation;
  evaluation.spoken = {.files = {{"out/0001.wav", 2.0, 0.5}, {"out/0003.wav", 3.0, 0.5}},
                       .unspoken = {{.line = 4, .fault = "no words"}},
                       .checkpoint = "runs/voice/checkpoints/step_00000012",
                       .speaker = "rms"};
  evaluation.out = "out";
  evaluation.judge = "judge me";
  evaluation.judgement = synthesis::Judgement{
      .numbers = {{"word_error_rate", 0.25}, {"words", 8}, {"errors", 2}, {"mos", 3.125}}};
  evaluation.judge_s = 1.5;
  return evaluation;
}

TEST(EvaluateOutput, JsonHasEveryScoreByName) {
  Evaluation evaluation = judged_evaluation();
  evaluation.recordings = synthesis::Judgement{.numbers = {{"word_error_rate", 0.0}}};

  const nlohmann::ordered_json json = to_json(evaluation);

  EXPECT_EQ(json["save"], "runs/voice/checkpoints/step_00000012");
  EXPECT_EQ(json["speaker"], "rms");
  EXPECT_EQ(json["sentences"], 3);
  EXPECT_EQ(json["spoken"], 2);
  EXPECT_EQ(json["audio_s"], 5.0);
  EXPECT_EQ(json["real_time_factor"], 0.2);
  EXPECT_EQ(json["unspoken"].dump(), R"([{"line":4,"fault":"no words"}])");
  EXPECT_EQ(json["judge"].dump(), R"({"command":"judge me","seconds":1.5})");
  EXPECT_EQ(json["score"].dump(), R"({"word_error_rate":0.25,"words":8,"errors":2,"mos":3.125})");
  EXPECT_EQ(json["recordings"].dump(), R"({"word_error_rate":0})");
}

TEST(EvaluateOutput, WithoutAJudgeScoresAreNull) {
  Evaluation evaluation = judged_evaluation();
  evaluation.judgement.reset();
  evaluation.spoken.files.clear();
  evaluation.out.clear();

  const nlohmann::ordered_json json = to_json(evaluation);

  for (const char* name : {"score", "recordings", "judge", "out", "real_time_factor"})
    EXPECT_TRUE(json[name].is_null()) << name;
  EXPECT_EQ(to_text(evaluation),
            "runs/voice/checkpoints/step_00000012, speaker rms\n"
            "0 of 1 sentence synthesised, 0.0 s of audio, real-time factor 0.000\n");
}

TEST(EvaluateOutput, TextHasATableWithAColumnForTheRecordings) {
  Evaluation evaluation = judged_evaluation();
  evaluation.recordings =
      synthesis::Judgement{.numbers = {{"word_error_rate", 0.125}, {"words", 8}, {"extra", 7}}};

  EXPECT_EQ(to_text(evaluation),
            "runs/voice/checkpoints/step_00000012, speaker rms\n"
            "2 of 3 sentences synthesised, 5.0 s of audio, real-time factor 0.200\n"
            "                     spoken  recordings\n"
            "word_error_rate      0.2500      0.1250\n"
            "words                     8           8\n"
            "errors                    2           -\n"
            "mos                  3.1250           -\n"
            "extra                     -           7\n");
}

TEST(EvaluateOutput, ControlCharactersInScoreNamesAreEscaped) {
  Evaluation evaluation = judged_evaluation();
  evaluation.judgement = synthesis::Judgement{.numbers = {{"\x1B[2J", 1.0}}};

  EXPECT_EQ(to_text(evaluation).find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace myxtts::cli
