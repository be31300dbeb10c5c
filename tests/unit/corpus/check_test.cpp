#include "corpus/check.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/corpus/corpus_folder.h"
#include "unit/corpus/poisoned_folder.h"

namespace xtts::corpus {
namespace {

// A corpus of `count` good utterances of one speed, made of numbers only.
struct Numbers {
  Corpus corpus;
  std::vector<Measured> measured;
};

Numbers even_corpus(std::size_t count) {
  Numbers numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.corpus.utterances.push_back({.id = fmt::format("u{}", i),
                                         .audio = "u.wav",
                                         .text = "x",
                                         .speaker = "",
                                         .line = static_cast<int>(i) + 1});
    Measured measured;
    measured.speech_s = measured.seconds = 1.0 + 0.1 * static_cast<double>(i % 20);
    measured.text_length = std::lround(14.0 * measured.speech_s) + static_cast<int>(i % 3);
    measured.mel_length = 1000;
    measured.peak = 0.5;
    numbers.measured.push_back(measured);
  }
  return numbers;
}

std::vector<std::string> names(const std::vector<Problem>& problems) {
  std::vector<std::string> list;
  list.reserve(problems.size());
  for (const Problem& problem : problems)
    list.push_back(problem.id + ":" + problem.reason);
  return list;
}

using Names = std::vector<std::string>;

TEST(Judge, HasNothingToSayAboutAnEvenCorpus) {
  const Numbers numbers = even_corpus(100);

  const CheckReport report = check_measured(numbers.corpus, numbers.measured);

  EXPECT_EQ(report.utterances, 100U);
  EXPECT_TRUE(report.bad.empty());
  EXPECT_EQ(names(report.warnings), Names{});
}

TEST(Judge, WarnsAtTheLimitsAndNotBefore) {
  Numbers numbers = even_corpus(20);
  numbers.measured[0].peak = 0.00099;
  numbers.measured[1].peak = 0.00101;
  numbers.measured[2].clipped_share = 0.0011;
  numbers.measured[3].clipped_share = 0.0010;
  numbers.measured[4].longest_silence_s = 2.0;
  numbers.measured[5].longest_silence_s = 1.9;

  const CheckReport report = check_measured(numbers.corpus, numbers.measured);

  EXPECT_EQ(names(report.warnings), (Names{"u0:quiet", "u2:clipped", "u4:long_silence"}));
  EXPECT_TRUE(report.bad.empty());
  EXPECT_EQ(names(check_measured(numbers.corpus, numbers.measured, 1.9).warnings),
            (Names{"u0:quiet", "u2:clipped", "u4:long_silence", "u5:long_silence"}));
}

TEST(Judge, FindsTextThatDoesNotFitItsRecording) {
  Numbers numbers = even_corpus(40);
  numbers.measured[7].text_length *= 3;
  numbers.measured[9].text_length /= 3;

  EXPECT_EQ(names(check_measured(numbers.corpus, numbers.measured).warnings),
            (Names{"u7:speech_rate", "u9:speech_rate"}));
}

TEST(Judge, TheUsualRateIsNotMovedByThoseWhoAreFarFromIt) {
  Numbers numbers = even_corpus(50);
  for (std::size_t i = 0; i < 20; ++i)
    numbers.measured[i].text_length *= 4;

  EXPECT_EQ(check_measured(numbers.corpus, numbers.measured).warnings.size(), 20U);
}

TEST(Judge, AFewUtterancesHaveNoUsualRate) {
  Numbers numbers = even_corpus(9);
  numbers.measured[3].text_length *= 5;

  EXPECT_TRUE(check_measured(numbers.corpus, numbers.measured).warnings.empty());
}

TEST(Judge, ListsBadLinesAndBadRecordingsInTheOrderOfTheirLines) {
  Numbers numbers = even_corpus(3);
  numbers.corpus.utterances[1].line = 5;
  numbers.measured[1].problem =
      Problem{.id = "u1", .reason = "missing", .detail = "", .suggestion = "", .line = 5};
  numbers.corpus.problems.push_back(
      {.id = "x", .reason = "bad_line", .detail = "", .suggestion = "", .line = 4});
  numbers.corpus.problems.push_back(
      {.id = "y", .reason = "nul", .detail = "", .suggestion = "", .line = 6});

  const CheckReport report = check_measured(numbers.corpus, numbers.measured);

  EXPECT_EQ(report.utterances, 5U);
  EXPECT_EQ(names(report.bad), (Names{"x:bad_line", "u1:missing", "y:nul"}));
}

TEST(CheckCorpus, WarnsOfRealRecordings) {
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

  EXPECT_EQ(names(report.bad), Names{});
  EXPECT_EQ(names(report.warnings), (Names{"quiet:quiet", "loud:clipped", "paused:long_silence"}));
}

TEST(CheckCorpus, EveryKindOfPoisonIsNamedOnceWithItsReasonWhateverTheNumberOfWorkers) {
  PoisonedFolder folder;
  add_bad_lines(folder);
  add_good_ones(folder, "before-");
  add_bad_files(folder);
  add_bad_recordings(folder);
  add_good_ones(folder, "after-");
  const Corpus corpus = folder.read();
  ASSERT_GE(folder.expected().size(), 40U);

  const CheckReport report = check_corpus(corpus, grapheme_config(), 1);
  const CheckReport threaded = check_corpus(corpus, grapheme_config(), 3);

  EXPECT_EQ(names(report.bad), folder.expected());
  EXPECT_EQ(names(threaded.bad), folder.expected());
  EXPECT_EQ(report.utterances - report.bad.size(), folder.num_good());
  for (const Problem& problem : report.bad) {
    EXPECT_FALSE(problem.detail.empty()) << problem.id;
    EXPECT_FALSE(problem.suggestion.empty()) << problem.id;
  }
}

TEST(CheckCorpus, AFileThatMayNotBeReadIsUnreadable) {
  const support::TempDir dir;
  const std::filesystem::path file = dir.write("wavs/a.wav", hum_wav(1.0));
  dir.write("metadata.csv", "a|hello\n");
  const Corpus corpus = read_corpus(dir.path(), {});
  std::filesystem::permissions(
      dir.path(), std::filesystem::perms::others_all, std::filesystem::perm_options::add);
  std::filesystem::permissions(file, std::filesystem::perms::none);

  CheckReport report;
  {
    const Nobody nobody;
    report = check_corpus(corpus, grapheme_config(), 1);
  }

  EXPECT_EQ(names(report.bad), (Names{"a:unreadable"}));
}

TEST(Judge, NamesTheCharactersThatNothingSpeaks) {
  Corpus corpus;
  corpus.utterances.push_back({.id = "a", .audio = "a.wav", .text = "x", .speaker = "", .line = 1});
  std::vector<Measured> measured(1);
  measured[0].peak = 0.5;
  measured[0].dropped = {"\xE2\x99\xA5", "\xE2\x88\x9E"};

  const CheckReport report = check_measured(corpus, measured);

  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].reason, "dropped_characters");
  EXPECT_EQ(report.warnings[0].detail, "\xE2\x99\xA5 \xE2\x88\x9E");
}

TEST(CheckCorpus, ADroppedCharacterIsAWarning) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", hum_wav(2.0));
  dir.write("metadata.csv", "a|hello \xE2\x99\xA5 you\n");
  const config::Config config = grapheme_config();

  const CheckReport report = check_corpus(read_corpus(dir.path(), config.data), config, 1);

  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].reason, "dropped_characters");
}

TEST(CheckCorpus, NothingAtAllIsBad) {
  const support::TempDir dir;
  dir.write("metadata.csv", "");
  const config::Config config = grapheme_config();

  const CheckReport report = check_corpus(read_corpus(dir.path(), config.data), config, 1);

  ASSERT_EQ(report.bad.size(), 1U);
  EXPECT_EQ(report.bad[0].detail, "no utterance in metadata.csv");
}

}  // namespace
}  // namespace xtts::corpus
