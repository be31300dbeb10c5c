#include "corpus/check.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/corpus/corpus_folder.h"
#include "unit/corpus/corrupt_folder.h"

namespace myxtts::corpus {
namespace {

// A corpus and its measurements, without files.
struct MeasuredCorpus {
  Corpus corpus;
  std::vector<Measurement> measured;
};

MeasuredCorpus uniform_corpus(std::size_t count) {
  MeasuredCorpus result;
  for (std::size_t i = 0; i < count; ++i) {
    result.corpus.utterances.push_back({.id = fmt::format("u{}", i),
                                        .audio = "u.wav",
                                        .text = "x",
                                        .speaker = "",
                                        .line = static_cast<int>(i) + 1});
    Measurement measured;
    measured.speech_s = measured.seconds = 1.0 + 0.1 * static_cast<double>(i % 20);
    measured.text_length = std::lround(14.0 * measured.speech_s) + static_cast<int>(i % 3);
    measured.mel_length = 1000;
    measured.peak = 0.5;
    result.measured.push_back(measured);
  }
  return result;
}

std::vector<std::string> ids_and_reasons(const std::vector<Problem>& problems) {
  std::vector<std::string> list;
  list.reserve(problems.size());
  for (const Problem& problem : problems)
    list.push_back(problem.id + ":" + problem.reason);
  return list;
}

using Names = std::vector<std::string>;

TEST(CheckMeasured, UniformCorpusHasNoWarnings) {
  const MeasuredCorpus input = uniform_corpus(100);

  const CheckReport report = check_measured(input.corpus, input.measured);

  EXPECT_EQ(report.utterances, 100U);
  EXPECT_TRUE(report.bad.empty());
  EXPECT_EQ(ids_and_reasons(report.warnings), Names{});
}

TEST(CheckMeasured, WarnsExactlyAtTheLimits) {
  MeasuredCorpus input = uniform_corpus(20);
  input.measured[0].peak = 0.00099;
  input.measured[1].peak = 0.00101;
  input.measured[2].clipped_share = 0.0011;
  input.measured[3].clipped_share = 0.0010;
  input.measured[4].longest_silence_s = 2.0;
  input.measured[5].longest_silence_s = 1.9;

  const CheckReport report = check_measured(input.corpus, input.measured);

  EXPECT_EQ(ids_and_reasons(report.warnings), (Names{"u0:quiet", "u2:clipped", "u4:long_silence"}));
  EXPECT_TRUE(report.bad.empty());
  EXPECT_EQ(ids_and_reasons(check_measured(input.corpus, input.measured, 1.9).warnings),
            (Names{"u0:quiet", "u2:clipped", "u4:long_silence", "u5:long_silence"}));
}

TEST(CheckMeasured, WarnsAboutTextThatDoesNotMatchTheRecording) {
  MeasuredCorpus input = uniform_corpus(40);
  input.measured[7].text_length *= 3;
  input.measured[9].text_length /= 3;

  EXPECT_EQ(ids_and_reasons(check_measured(input.corpus, input.measured).warnings),
            (Names{"u7:speech_rate", "u9:speech_rate"}));
}

TEST(CheckMeasured, SpeechRateIsRobustAgainstOutliers) {
  MeasuredCorpus input = uniform_corpus(50);
  for (std::size_t i = 0; i < 20; ++i)
    input.measured[i].text_length *= 4;

  EXPECT_EQ(check_measured(input.corpus, input.measured).warnings.size(), 20U);
}

TEST(CheckMeasured, TooFewUtterancesGiveNoRateWarnings) {
  MeasuredCorpus input = uniform_corpus(9);
  input.measured[3].text_length *= 5;

  EXPECT_TRUE(check_measured(input.corpus, input.measured).warnings.empty());
}

TEST(CheckMeasured, ProblemsAreInTheOrderOfLines) {
  MeasuredCorpus input = uniform_corpus(3);
  input.corpus.utterances[1].line = 5;
  input.measured[1].problem =
      Problem{.id = "u1", .reason = "missing", .detail = "", .suggestion = "", .line = 5};
  input.corpus.problems.push_back(
      {.id = "x", .reason = "bad_line", .detail = "", .suggestion = "", .line = 4});
  input.corpus.problems.push_back(
      {.id = "y", .reason = "nul", .detail = "", .suggestion = "", .line = 6});

  const CheckReport report = check_measured(input.corpus, input.measured);

  EXPECT_EQ(report.utterances, 5U);
  EXPECT_EQ(ids_and_reasons(report.bad), (Names{"x:bad_line", "u1:missing", "y:nul"}));
}

TEST(CheckCorpus, WarnsAboutRealRecordings) {
  const support::TempDir dir;
  dir.write("wavs/quiet.wav", hum_wav(1.0, 0.0005F));
  dir.write("wavs/loud.wav", hum_wav(1.0, 4.0F));
  std::vector<float> paused = hum(0.5);
  paused.resize(paused.size() + std::size_t{3} * 22050);
  const std::vector<float> second = hum(0.5);
  paused.insert(paused.end(), second.begin(), second.end());
  dir.write("wavs/paused.wav", audio::wav_bytes(paused, 22050));
  dir.write("metadata.csv", "quiet|hello\nloud|hello\npaused|hello\n");
  const config::Config config = grapheme_config();

  const CheckReport report = check_corpus(read_corpus(dir.path(), config.data), config, 2);

  EXPECT_EQ(ids_and_reasons(report.bad), Names{});
  EXPECT_EQ(ids_and_reasons(report.warnings),
            (Names{"quiet:quiet", "loud:clipped", "paused:long_silence"}));
}

TEST(CheckCorpus, EveryKindOfFaultIsReportedOnceForAnyNumberOfWorkers) {
  CorruptFolder folder;
  add_bad_lines(folder);
  add_good_utterances(folder, "before-");
  add_bad_files(folder);
  add_bad_recordings(folder);
  add_good_utterances(folder, "after-");
  const Corpus corpus = folder.read();
  ASSERT_GE(folder.expected().size(), 40U);

  const CheckReport report = check_corpus(corpus, grapheme_config(), 1);
  const CheckReport threaded = check_corpus(corpus, grapheme_config(), 3);

  EXPECT_EQ(ids_and_reasons(report.bad), folder.expected());
  EXPECT_EQ(ids_and_reasons(threaded.bad), folder.expected());
  EXPECT_EQ(report.utterances - report.bad.size(), folder.num_good());
  for (const Problem& problem : report.bad) {
    EXPECT_FALSE(problem.detail.empty()) << problem.id;
    EXPECT_FALSE(problem.suggestion.empty()) << problem.id;
  }
}

TEST(CheckCorpus, FileWithoutReadPermissionIsUnreadable) {
  const support::TempDir dir;
  const std::filesystem::path file = dir.write("wavs/a.wav", hum_wav(1.0));
  dir.write("metadata.csv", "a|hello\n");
  const Corpus corpus = read_corpus(dir.path(), {});
  std::filesystem::permissions(
      dir.path(), std::filesystem::perms::others_all, std::filesystem::perm_options::add);
  std::filesystem::permissions(file, std::filesystem::perms::none);

  CheckReport report;
  {
    const UnprivilegedUser user;
    report = check_corpus(corpus, grapheme_config(), 1);
  }

  EXPECT_EQ(ids_and_reasons(report.bad), (Names{"a:unreadable"}));
}

TEST(CheckMeasured, ListsCharactersWithoutASymbol) {
  Corpus corpus;
  corpus.utterances.push_back({.id = "a", .audio = "a.wav", .text = "x", .speaker = "", .line = 1});
  std::vector<Measurement> measured(1);
  measured[0].peak = 0.5;
  measured[0].dropped = {"\xE2\x99\xA5", "\xE2\x88\x9E"};

  const CheckReport report = check_measured(corpus, measured);

  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].reason, "dropped_characters");
  EXPECT_EQ(report.warnings[0].detail, "\xE2\x99\xA5 \xE2\x88\x9E");
}

TEST(CheckCorpus, DroppedCharacterIsAWarning) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", hum_wav(2.0));
  dir.write("metadata.csv", "a|hello \xE2\x99\xA5 you\n");
  const config::Config config = grapheme_config();

  const CheckReport report = check_corpus(read_corpus(dir.path(), config.data), config, 1);

  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].reason, "dropped_characters");
}

TEST(CheckCorpus, EmptyCorpusIsAProblem) {
  const support::TempDir dir;
  dir.write("metadata.csv", "");
  const config::Config config = grapheme_config();

  const CheckReport report = check_corpus(read_corpus(dir.path(), config.data), config, 1);

  ASSERT_EQ(report.bad.size(), 1U);
  EXPECT_EQ(report.bad[0].detail, "no utterance in metadata.csv");
}

}  // namespace
}  // namespace myxtts::corpus
