#include "train/synthesis_section.h"

#include <string_view>

#include <gtest/gtest.h>

#include "base/html_page.h"

namespace myxtts::train {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::vector<SynthesisedSentence> two_sentences() {
  return {{.id = "a",
           .text = "One <two> three.",
           .recorded = {"wav1", "png1", synthesis::Transcript{"one two three", 3, 0}},
           .spoken = {"wav2", "png2", synthesis::Transcript{"one <do> three", 3, 1}}},
          {.id = "b",
           .text = "Four five.",
           .recorded = {"wav3", "png3", synthesis::Transcript{"four", 2, 1}},
           .spoken = {"wav4", "png4", synthesis::Transcript{"", 2, 2}}}};
}

TEST(SynthesisSection, HasMelsAndAudioOfEverySentence) {
  const std::string html = synthesis_section(two_sentences(), "method note");

  for (const char* bytes : {"wav1", "wav2", "wav3", "wav4"})
    EXPECT_TRUE(has(html, base::data_uri("audio/wav", bytes)));
  for (const char* bytes : {"png1", "png2", "png3", "png4"})
    EXPECT_TRUE(has(html, base::data_uri("image/png", bytes)));
  EXPECT_TRUE(has(html, "One &lt;two&gt; three."));
  EXPECT_TRUE(has(html, "one &lt;do&gt; three"));
  EXPECT_FALSE(has(html, "<two>"));
  EXPECT_FALSE(has(html, "<do>"));
  EXPECT_FALSE(has(html, "method note"));
}

TEST(SynthesisSection, HasGriffinLimAudioBesideTheVocoder) {
  std::vector<SynthesisedSentence> sentences = two_sentences();
  EXPECT_FALSE(has(synthesis_section(sentences, "method note"), ">Griffin-Lim<"));
  sentences[0].by_griffin_lim = {"wav5", "png5", {}};

  const std::string html = synthesis_section(sentences, "method note");

  EXPECT_TRUE(has(html, ">Griffin-Lim<"));
  EXPECT_TRUE(has(html, base::data_uri("audio/wav", "wav5")));
  EXPECT_FALSE(has(html, base::data_uri("image/png", "png5")));
}

TEST(SynthesisSection, ShowsWordErrorRatesOfVoiceAndRecordings) {
  const auto scores = word_scores(two_sentences());

  ASSERT_TRUE(scores);
  EXPECT_DOUBLE_EQ(scores->recorded.rate(), 0.2);
  EXPECT_DOUBLE_EQ(scores->spoken.rate(), 0.6);
  const std::string html = synthesis_section(two_sentences(), "method note");
  EXPECT_LT(html.find("20.0 %"), html.find("60.0 %"));
  EXPECT_TRUE(has(html, "60.0 %"));
  EXPECT_TRUE(has(html, "errors: 1 of 3 words"));
}

TEST(SynthesisSection, ExplainsHowToJudgeWithoutAJudge) {
  std::vector<SynthesisedSentence> sentences = two_sentences();
  sentences[1].spoken.transcript.reset();

  const std::string html = synthesis_section(sentences, "take <a> judge");

  EXPECT_FALSE(word_scores(sentences));
  EXPECT_TRUE(has(html, "take &lt;a&gt; judge"));
  EXPECT_FALSE(has(html, "<table>"));
}

TEST(SynthesisSection, IsEmptyWithoutSentences) {
  EXPECT_EQ(synthesis_section({}, "method note"), "");
  EXPECT_FALSE(word_scores({}));
}

}  // namespace
}  // namespace myxtts::train
