#include "diagnose/stage_times.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::diagnose {
namespace {

// Writes 0.5 s hums in the LJSpeech layout.
corpus::Corpus hum_corpus(const support::TempDir& dir,
                          const config::Config& config,
                          int count,
                          int sample_rate = 22050) {
  std::string metadata;
  for (int i = 0; i < count; ++i) {
    const std::string id = "u" + std::to_string(i);
    metadata += id + "|la la la\n";
    dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.5, 0.3F, sample_rate));
  }
  dir.write("metadata.csv", metadata);
  return corpus::read_corpus(dir.path(), config.data);
}

double cpu_s_of(const StageTimes& times, std::string_view name) {
  for (const rules::Stage& stage : times.stages)
    if (stage.name == name) return stage.cpu_s.value_or(-1.0);
  return -1.0;
}

TEST(StageTimes, HaveEveryStageInLoadingOrder) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  const corpus::Corpus corpus = hum_corpus(dir, config, 6);

  const StageTimes times = measure_stages(corpus, config, 4);

  std::vector<std::string> names;
  for (const rules::Stage& stage : times.stages)
    names.push_back(stage.name);
  EXPECT_EQ(
      names,
      (std::vector<std::string>{"read", "decode", "resample", "prepare", "mel", "text", "pad"}));
  EXPECT_EQ(times.num_measured, 4);
  for (const char* name : {"decode", "prepare", "mel", "pad"})
    EXPECT_GT(cpu_s_of(times, name), 0.0) << name;
  EXPECT_GT(times.machine.open_s.value_or(0.0), 0.0);
  EXPECT_EQ(times.corpus.bad_share, 0.0);
  EXPECT_EQ(times.corpus.encoded_share, 0.0);
}

TEST(StageTimes, ResampleOnlyOtherSampleRates) {
  const support::TempDir dir, other_dir;
  const config::Config config = corpus::grapheme_config();

  const StageTimes same = measure_stages(hum_corpus(dir, config, 3), config, 3);
  const StageTimes other = measure_stages(hum_corpus(other_dir, config, 3, 16000), config, 3);

  EXPECT_EQ(same.corpus.resampled_share, 0.0);
  EXPECT_EQ(cpu_s_of(same, "resample"), 0.0);
  EXPECT_FALSE(same.corpus.resampled_from_hz);
  EXPECT_EQ(other.corpus.resampled_share, 1.0);
  EXPECT_EQ(other.corpus.resampled_from_hz, 16000);
  EXPECT_GT(cpu_s_of(other, "resample"), 0.0);
}

TEST(StageTimes, CountUnusableRecordings) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  const corpus::Corpus corpus = hum_corpus(dir, config, 4);
  dir.write("wavs/u1.wav", "not audio");

  const StageTimes times = measure_stages(corpus, config, 4);

  EXPECT_EQ(times.num_measured, 3);
  EXPECT_EQ(times.corpus.bad_share, 0.25);
  EXPECT_TRUE(times.corpus.bad_reason);
}

TEST(StageTimes, RejectACorpusWithoutUsableRecordings) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  const corpus::Corpus corpus = hum_corpus(dir, config, 2);
  dir.write("wavs/u0.wav", "no");
  dir.write("wavs/u1.wav", "no");

  EXPECT_THROW(measure_stages(corpus, config, 4), UserError);
}

}  // namespace
}  // namespace myxtts::diagnose
