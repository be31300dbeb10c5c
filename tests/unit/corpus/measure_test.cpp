#include "corpus/measure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "base/error.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::corpus {
namespace {

std::vector<float> joined(std::initializer_list<std::vector<float>> parts) {
  std::vector<float> all;
  for (const std::vector<float>& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Measurement measure_one(const std::string& wav, const std::string& text) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", wav);
  dir.write("metadata.csv", "a|" + text + "\n");
  const config::Config config = grapheme_config();
  return measure_corpus(read_corpus(dir.path(), config.data), config, 1).at(0);
}

TEST(MeasureCorpus, CountsSymbolsFramesAndSeconds) {
  const Measurement measured = measure_one(hum_wav(1.0), "hello there");

  ASSERT_FALSE(measured.problem) << measured.problem->detail;
  EXPECT_EQ(measured.text_length, 11);
  EXPECT_EQ(measured.mel_length, 1 + 22050 / 256);
  EXPECT_DOUBLE_EQ(measured.seconds, 1.0);
  EXPECT_NEAR(measured.peak, 0.3, 0.01);
  EXPECT_EQ(measured.clipped_share, 0.0);
}

TEST(MeasureCorpus, FramesMatchTheFullPreparation) {
  const int rate = 16000;
  const std::vector<float> silence(rate / 2);
  const std::vector<float> samples = joined({silence, hum(1.3, 0.3F, rate), silence});
  const audio::MelSpec spec;
  const audio::AudioClip clip{
      .sample_rate = rate, .num_channels = 1, .format = "", .samples = samples};

  const Measurement measured = measure_one(audio::wav_bytes(samples, rate), "hello");

  EXPECT_EQ(measured.mel_length, num_frames(spec, audio::prepare(clip, spec).size()));
  EXPECT_LT(measured.speech_s, 1.6);
  EXPECT_DOUBLE_EQ(measured.seconds, 2.3);
}

TEST(MeasureCorpus, FindsTheLongestSilence) {
  const std::vector<float> pause(std::size_t{22050} * 3);
  const std::vector<float> short_pause(22050 / 2);
  const auto samples = joined({hum(0.5), short_pause, hum(0.5), pause, hum(0.5)});

  const Measurement measured = measure_one(audio::wav_bytes(samples, 22050), "hello");

  EXPECT_NEAR(measured.longest_silence_s, 3.0, 0.05);
}

TEST(MeasureCorpus, CountsSamplesAtFullScale) {
  std::vector<float> samples = hum(1.0);
  for (std::size_t i = 0; i < samples.size(); i += 100)
    samples[i] = 1.0F;

  EXPECT_NEAR(measure_one(audio::wav_bytes(samples, 22050), "hello").clipped_share, 0.01, 0.0005);
}

TEST(MeasureCorpus, ResultDoesNotDependOnTheNumberOfWorkers) {
  const support::TempDir dir;
  std::string metadata;
  for (int i = 0; i < 280; ++i) {
    const std::string id = fmt::format("u{}", i);
    metadata += id + "|" + std::string(static_cast<std::size_t>(1 + i % 7), 'a') + "\n";
    if (i % 5 != 0) dir.write("wavs/" + id + ".wav", hum_wav(0.2 + 0.001 * i));
  }
  dir.write("metadata.csv", metadata);
  const config::Config config = grapheme_config();
  const Corpus corpus = read_corpus(dir.path(), config.data);

  std::size_t num_done = 0;
  const auto sequential = measure_corpus(corpus, config, 1);
  const auto threaded =
      measure_corpus(corpus, config, 4, [&](std::size_t count) { num_done += count; });

  EXPECT_EQ(num_done, 280U);
  ASSERT_EQ(threaded.size(), sequential.size());
  for (std::size_t i = 0; i < threaded.size(); ++i) {
    EXPECT_EQ(threaded[i].text_length, sequential[i].text_length);
    EXPECT_EQ(threaded[i].mel_length, sequential[i].mel_length);
    EXPECT_EQ(threaded[i].problem.has_value(), i % 5 == 0);
  }
}

TEST(MeasureCorpus, UsesTheConfiguredLimits) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", hum_wav(1.0));
  dir.write("metadata.csv", "a|hello\n");
  config::Config config = grapheme_config();
  const Corpus corpus = read_corpus(dir.path(), config.data);

  config.data.min_audio_length = 1.5;
  EXPECT_EQ(measure_corpus(corpus, config, 1).at(0).problem.value().reason, "too_short");
  config.data.min_audio_length = 0.1;
  config.data.max_audio_length = 0.9;
  EXPECT_EQ(measure_corpus(corpus, config, 1).at(0).problem.value().reason, "too_long");
}

TEST(MeasureCorpus, RefusesAnInvalidMelSpec) {
  config::Config config = grapheme_config();
  config.model.hop_length = 0;

  EXPECT_THROW(measure_corpus({}, config, 1), UsageError);
}

}  // namespace
}  // namespace myxtts::corpus
