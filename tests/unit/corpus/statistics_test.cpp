#include "corpus/statistics.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace myxtts::corpus {
namespace {

using Lengths = std::vector<std::int64_t>;

Lengths one_to(std::int64_t last) {
  Lengths lengths(static_cast<std::size_t>(last));
  std::iota(lengths.begin(), lengths.end(), 1);
  return lengths;
}

Measurement utterance(std::int64_t text, std::int64_t mel, double seconds) {
  Measurement measured;
  measured.text_length = text;
  measured.mel_length = mel;
  measured.seconds = seconds;
  return measured;
}

Measurement bad_utterance() {
  Measurement measured = utterance(9999, 9999, 9999.0);
  measured.problem =
      Problem{.id = "bad", .reason = "missing", .detail = "", .suggestion = "", .line = 2};
  return measured;
}

Corpus corpus_of_two_speakers(std::size_t count) {
  Corpus corpus;
  for (std::size_t i = 0; i < count; ++i) {
    corpus.utterances.push_back({.id = fmt::format("u{}", i),
                                 .audio = "u.wav",
                                 .text = "x",
                                 .speaker = i % 2 == 0 ? "slt" : "awb",
                                 .line = static_cast<int>(i) + 1});
  }
  return corpus;
}

TEST(Percentile, IsTheNearestRank) {
  const Lengths five = {15, 20, 35, 40, 50};

  EXPECT_EQ(percentile(five, 5), 15);
  EXPECT_EQ(percentile(five, 30), 20);
  EXPECT_EQ(percentile(five, 40), 20);
  EXPECT_EQ(percentile(five, 50), 35);
  EXPECT_EQ(percentile(five, 100), 50);
}

TEST(Percentile, OfOneToAHundredIsThePercent) {
  const Lengths hundred = one_to(100);

  for (int percent = 1; percent <= 100; ++percent)
    EXPECT_EQ(percentile(hundred, percent), percent);
}

TEST(Percentile, AtMostTheRestIsAbove) {
  base::Random random(11);
  for (int round = 0; round < 200; ++round) {
    Lengths lengths(1 + random.below(300));
    for (std::int64_t& length : lengths)
      length = static_cast<std::int64_t>(random.below(50));
    std::ranges::sort(lengths);
    for (const int percent : {50, 90, 95, 99}) {
      const std::int64_t value = percentile(lengths, percent);
      const auto above =
          std::ranges::count_if(lengths, [&](auto length) { return length > value; });
      const auto below =
          std::ranges::count_if(lengths, [&](auto length) { return length < value; });
      const auto total = std::ssize(lengths);
      EXPECT_LE(above * 100, total * (100 - percent)) << "seed 11, round " << round;
      EXPECT_LT(below * 100, total * percent) << "seed 11, round " << round;
    }
  }
}

TEST(LengthStats, DoesNotDependOnTheOrder) {
  Lengths lengths = one_to(200);
  std::ranges::reverse(lengths);

  const LengthStats stats = length_stats(lengths);

  EXPECT_EQ(stats.min, 1);
  EXPECT_EQ(stats.max, 200);
  EXPECT_DOUBLE_EQ(stats.mean, 100.5);
  EXPECT_EQ(stats.percentile_50, 100);
  EXPECT_EQ(stats.percentile_90, 180);
  EXPECT_EQ(stats.percentile_95, 190);
  EXPECT_EQ(stats.percentile_99, 198);
}

TEST(LengthStats, AreZeroWithoutLengths) {
  EXPECT_EQ(length_stats({}).max, 0);
}

TEST(Histogram, HasRoundBinsThatCoverEveryLength) {
  const Histogram histogram = make_histogram(Lengths{38, 41, 59, 60, 99, 120}, 6);

  EXPECT_EQ(histogram.lower, 20);
  EXPECT_EQ(histogram.bin_width, 20);
  EXPECT_EQ(histogram.counts, (std::vector<std::size_t>{1, 2, 1, 0 + 1, 0, 1}));
}

TEST(Histogram, InvariantsHoldForRandomLengths) {
  base::Random random(12);
  for (int round = 0; round < 500; ++round) {
    Lengths lengths(1 + random.below(50));
    const std::uint64_t range = 1 + random.below(100'000);
    for (std::int64_t& length : lengths)
      length = static_cast<std::int64_t>(random.below(range));
    const std::size_t max_bins = 1 + random.below(30);

    const Histogram histogram = make_histogram(lengths, max_bins);

    EXPECT_LE(histogram.counts.size(), max_bins) << "seed 12, round " << round;
    EXPECT_GT(histogram.counts.front(), 0U);
    EXPECT_GT(histogram.counts.back(), 0U);
    EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::size_t{0}),
              lengths.size());
    EXPECT_EQ(histogram.lower % histogram.bin_width, 0);
  }
}

TEST(Histogram, EqualLengthsGiveOneBinAndNoLengthsNone) {
  EXPECT_EQ(make_histogram(Lengths{7, 7, 7}).counts, (std::vector<std::size_t>{3}));
  EXPECT_TRUE(make_histogram(Lengths{}).counts.empty());
}

TEST(EvaluateLimits, CountsUtterancesAboveEitherLimitOnce) {
  const std::vector<Measurement> measured = {utterance(10, 100, 3600.0),
                                             utterance(11, 100, 3600.0),
                                             utterance(10, 101, 3600.0),
                                             utterance(11, 101, 7200.0),
                                             bad_utterance()};

  const LengthLimits limits = evaluate_limits(measured, 10, 100);

  EXPECT_EQ(limits.filtered_utterances, 3U);
  EXPECT_DOUBLE_EQ(limits.utterance_share, 0.75);
  EXPECT_DOUBLE_EQ(limits.filtered_hours, 4.0);
  EXPECT_DOUBLE_EQ(limits.hour_share, 0.8);
}

TEST(EvaluateLimits, EmptyCorpusFiltersNothing) {
  EXPECT_EQ(evaluate_limits({}, 10, 100).filtered_utterances, 0U);
}

TEST(CorpusStats, RecommendsRoundedPercentiles) {
  std::vector<Measurement> measured;
  for (int i = 1; i <= 100; ++i)
    measured.push_back(utterance(i, 10 * i + 20, 36.0));

  const CorpusStats stats = make_stats(corpus_of_two_speakers(100), measured);

  ASSERT_EQ(stats.recommendations.size(), 2U);
  EXPECT_EQ(stats.recommendations[0].percent, 95);
  EXPECT_EQ(stats.recommendations[0].max_text_length, 96);
  EXPECT_EQ(stats.recommendations[0].max_mel_frames, 992);
  EXPECT_EQ(stats.recommendations[0].filtered_utterances, 4U);
  EXPECT_EQ(stats.recommended().percent, 99);
  EXPECT_EQ(stats.recommended().max_text_length, 104);
  EXPECT_EQ(stats.recommended().max_mel_frames, 1024);
  EXPECT_EQ(stats.recommended().filtered_utterances, 0U);
  EXPECT_EQ(flags_of(stats.recommended()), "--max-text-length 104 --max-mel-frames 1024");
}

TEST(CorpusStats, FilterAtMostTheSumOfBothPercentiles) {
  base::Random random(13);
  for (int round = 0; round < 100; ++round) {
    std::vector<Measurement> measured(1 + random.below(400));
    for (Measurement& one : measured)
      one = utterance(static_cast<std::int64_t>(1 + random.below(300)),
                      static_cast<std::int64_t>(300 + random.below(2000)),
                      1.0);

    const CorpusStats stats = make_stats(corpus_of_two_speakers(measured.size()), measured);

    for (const LengthLimits& limits : stats.recommendations)
      EXPECT_LE(limits.utterance_share, 2 * (100 - limits.percent) / 100.0) << "seed 13";
  }
}

TEST(CorpusStats, CountUsableUtterancesAndListTheRest) {
  Corpus corpus = corpus_of_two_speakers(4);
  corpus.problems.push_back(
      {.id = "x", .reason = "nul", .detail = "", .suggestion = "", .line = 9});
  const std::vector<Measurement> measured = {utterance(5, 50, 1800.0),
                                             bad_utterance(),
                                             utterance(7, 70, 1800.0),
                                             utterance(9, 90, 3600.0)};

  const CorpusStats stats = make_stats(corpus, measured);

  EXPECT_EQ(stats.utterances, 3U);
  EXPECT_DOUBLE_EQ(stats.hours, 2.0);
  EXPECT_EQ(stats.text_length.max, 9);
  ASSERT_EQ(stats.speakers.size(), 2U);
  EXPECT_EQ(stats.speakers[0].name, "awb");
  EXPECT_EQ(stats.speakers[0].utterances, 1U);
  EXPECT_DOUBLE_EQ(stats.speakers[1].hours, 1.0);
  ASSERT_EQ(stats.skipped.size(), 2U);
  EXPECT_EQ(stats.skipped[0].id, "bad");
  EXPECT_EQ(stats.skipped[1].id, "x");
}

TEST(CorpusStats, AreZeroForAnEmptyCorpus) {
  const CorpusStats stats = make_stats({}, {});

  EXPECT_EQ(stats.utterances, 0U);
  EXPECT_EQ(stats.recommended().max_mel_frames, 0);
}

}  // namespace
}  // namespace myxtts::corpus
