#include <gtest/gtest.h>
#include <myxtts/corpus.h>

#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts {
namespace {

TEST(Corpus, ChecksAndMeasuresItsUtterances) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", corpus::hum_wav(1.0));
  dir.write("wavs/b.wav", "this is no audio");
  dir.write("metadata.csv", "a|one two three\nb|four\nc|five\n");
  const Corpus corpus = Corpus::open(dir.path().string());
  std::size_t last = 0;
  testing::internal::CaptureStderr();
  const CorpusReport report = corpus.check(2, [&](std::size_t done) { last = done; });

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(report.utterances, 3U);
  EXPECT_EQ(report.usable, 1U);
  EXPECT_NEAR(report.hours * 3600.0, 1.0, 1e-6);
  ASSERT_EQ(report.problems.size(), 2U);
  EXPECT_EQ(report.problems[0].id, "b");
  EXPECT_EQ(report.problems[0].reason, "not_audio");
  EXPECT_FALSE(report.problems[0].suggestion.empty());
  EXPECT_GT(report.text_length.max, 0);
  EXPECT_GE(report.max_mel_frames, report.mel_length.max);
  EXPECT_EQ(last, corpus.size());
}

TEST(Corpus, NamesWhatIsWrong) {
  const support::TempDir dir;

  EXPECT_THROW(Corpus::open((dir.path() / "nothing").string()), UsageError);
  EXPECT_THROW(Corpus::open(dir.path().string()), UsageError);
  EXPECT_THROW(Corpus::open(dir.path().string(), "xx"), UsageError);
}

}  // namespace
}  // namespace myxtts
