#include "diagnose/loader_times.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::diagnose {
namespace {

TEST(LoaderTimes, HaveOneEntryPerBatchForASmallCorpus) {
  const support::TempDir dir;
  config::Config config = corpus::grapheme_config();
  config.data.batch_size = 2;
  std::string metadata;
  for (int i = 0; i < 12; ++i) {
    const std::string id = "u" + std::to_string(i);
    metadata += id + "|la la la\n";
    dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.4 + 0.02 * i));
  }
  dir.write("metadata.csv", metadata);
  const corpus::Corpus corpus = corpus::read_corpus(dir.path(), config.data);

  for (const int workers : {0, 2}) {
    config.data.num_workers = workers;
    testing::internal::CaptureStderr();
    const LoaderTimes times = measure_loader(corpus, config, 9);
    testing::internal::GetCapturedStderr();

    EXPECT_EQ(times.num_workers, workers);
    EXPECT_EQ(times.batch_s.size(), 9U);
    EXPECT_EQ(times.num_utterances, 12);
    EXPECT_GT(times.busy_s, 0.0);
    EXPECT_GT(times.audio_s_per_s, 0.0);
    EXPECT_GT(times.reading_s, 0.0);
  }
}

}  // namespace
}  // namespace myxtts::diagnose
