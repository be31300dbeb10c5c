#include "corpus/report_examples.h"

#include <gtest/gtest.h>

#include "audio/decode.h"
#include "base/error.h"
#include "corpus/reasons.h"
#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::corpus {
namespace {

std::vector<Measurement> measurements_of(const std::vector<std::int64_t>& mel_lengths) {
  std::vector<Measurement> measured;
  for (const std::int64_t length : mel_lengths) {
    Measurement one;
    one.mel_length = length;
    one.seconds = static_cast<double>(length) / 100.0;
    measured.push_back(one);
  }
  return measured;
}

TEST(ReportExamples, AreSpacedFromTheShortestToTheLongest) {
  const std::vector<Measurement> measured = measurements_of({500, 100, 300, 200, 400});

  EXPECT_EQ(choose_examples(measured, 3, 100.0), (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(choose_examples(measured, 9, 100.0), (std::vector<std::size_t>{1, 3, 2, 4, 0}));
  EXPECT_EQ(choose_examples(measured, 1, 100.0), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(choose_examples({}, 3, 100.0).empty());
}

TEST(ReportExamples, BadUtterancesAreNeverChosen) {
  std::vector<Measurement> measured = measurements_of({100, 200, 300});
  measured[0].problem = make_problem("u", "missing", "");

  EXPECT_EQ(choose_examples(measured, 2, 100.0), (std::vector<std::size_t>{1, 2}));
}

TEST(ReportExamples, StayWithinTheTotalDuration) {
  const std::vector<Measurement> measured = measurements_of({100, 200, 3000});

  EXPECT_EQ(choose_examples(measured, 3, 10.0), (std::vector<std::size_t>{0, 1}));
}

TEST(ReportExamples, HaveASpectrogramAndTwoAudioClips) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", hum_wav(0.5, 0.3F, 16000));
  dir.write("metadata.csv", "a|Hm hm.|Hm hm.\n");
  const config::Config config = grapheme_config();
  const Corpus corpus = read_corpus(dir.path(), config.data);
  const std::vector<Measurement> measured = measure_corpus(corpus, config, 1);
  const std::vector<std::size_t> chosen = choose_examples(measured, 6, 60.0);

  const std::vector<Example> examples = make_examples(corpus, chosen, measured, config, 1);

  ASSERT_EQ(examples.size(), 1U);
  const Example& example = examples.front();
  EXPECT_EQ(example.id, "a");
  EXPECT_EQ(example.text, "Hm hm.");
  EXPECT_EQ(example.phonemes, "Hm hm.");  // the normalised text for graphemes
  EXPECT_TRUE(example.mel_png.starts_with("\x89PNG"));
  const audio::DecodeResult recording = audio::decode(example.recording_wav, 10.0);
  const audio::DecodeResult restored = audio::decode(example.mel_wav, 10.0);
  EXPECT_EQ(recording.clip.sample_rate, 16000);
  EXPECT_NEAR(recording.clip.seconds(), 0.5, 0.001);
  EXPECT_EQ(restored.clip.sample_rate, 22050);
  EXPECT_NEAR(restored.clip.seconds(), 0.5, 0.03);
}

TEST(ReportExamples, MissingRecordingIsNamed) {
  const support::TempDir dir;
  const auto recording = dir.write("wavs/a.wav", hum_wav(0.5));
  dir.write("metadata.csv", "a|Hm hm.|Hm hm.\n");
  const config::Config config = grapheme_config();
  const Corpus corpus = read_corpus(dir.path(), config.data);
  const std::vector<Measurement> measured = measure_corpus(corpus, config, 1);
  std::filesystem::remove(recording);

  const std::vector<std::size_t> chosen = {0};
  EXPECT_THROW(make_examples(corpus, chosen, measured, config, 1), UserError);
}

TEST(ReportExamples, NothingChosenGivesNoSection) {
  EXPECT_EQ(examples_section({}), "");
}

}  // namespace
}  // namespace myxtts::corpus
