#include "pipeline/features.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audio/prepare.h"
#include "audio/wav.h"
#include "corpus/measure.h"
#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace xtts::pipeline {
namespace {

// Good and bad recordings of three speakers, some more than one turn of the loading holds.
corpus::Corpus write_corpus(const support::TempDir& dir, int count, const config::Config& config) {
  std::string metadata;
  for (int i = 0; i < count; ++i) {
    const std::string id = fmt::format("u{}", i);
    metadata += fmt::format("{}|{}\n", id, std::string(static_cast<std::size_t>(1 + i % 7), 'a'));
    if (i % 9 == 4) continue;  // its recording is missing
    dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.2 + 0.002 * i, 0.3F, i % 2 ? 16000 : 22050));
  }
  dir.write("metadata.csv", metadata);
  return corpus::read_corpus(dir.path(), config.data);
}

TEST(LoadFeatures, IsTheSameForAnyNumberOfWorkersAndCountsEachUtteranceOnce) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  const corpus::Corpus corpus = write_corpus(dir, 40, config);
  std::size_t num_done = 0;

  const FeatureSet plain = load_features(corpus, config, 0);
  const FeatureSet threaded =
      load_features(corpus, config, 4, [&](std::size_t count) { num_done += count; });

  EXPECT_EQ(num_done, 40U);
  ASSERT_EQ(plain.utterances.size() + plain.skipped.size(), 40U);
  ASSERT_EQ(threaded.utterances.size(), plain.utterances.size());
  for (std::size_t i = 0; i < plain.utterances.size(); ++i) {
    EXPECT_EQ(threaded.utterances[i].id, plain.utterances[i].id);
    EXPECT_EQ(threaded.utterances[i].text, plain.utterances[i].text);
    EXPECT_EQ(threaded.utterances[i].mel.values, plain.utterances[i].mel.values);
  }
  ASSERT_EQ(threaded.skipped.size(), plain.skipped.size());
  for (std::size_t i = 0; i < plain.skipped.size(); ++i)
    EXPECT_EQ(threaded.skipped[i].id, plain.skipped[i].id);
}

}  // namespace
}  // namespace xtts::pipeline
