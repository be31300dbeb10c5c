#include "data/length_filter.h"

#include <gtest/gtest.h>

#include "support/scale.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

// Ten utterances of 10 to 100 symbols and 100 to 1000 frames.
std::vector<Lengths> ten() {
  std::vector<Lengths> lengths;
  for (std::int64_t i = 1; i <= 10; ++i)
    lengths.push_back({.text = 10 * i, .mel = 100 * i});
  return lengths;
}

TEST(FilterByLength, CountsUtterancesAboveEitherLimit) {
  const FilteredByLength filtered = filter_by_length({.text = 95, .mel = 800}, ten());

  EXPECT_EQ(filtered.utterances, (std::vector<std::size_t>{8, 9}));
  EXPECT_DOUBLE_EQ(filtered.utterance_share, 0.2);
  EXPECT_DOUBLE_EQ(filtered.frame_share, 1900.0 / 5500.0);
  EXPECT_DOUBLE_EQ(filtered.larger_share(), 1900.0 / 5500.0);
  EXPECT_TRUE(filter_by_length({.text = 100, .mel = 1000}, ten()).utterances.empty());
  EXPECT_EQ(filter_by_length({.text = 99, .mel = 1000}, ten()).utterances.size(), 1U);
  EXPECT_EQ(filter_by_length({.text = 100, .mel = 999}, ten()).utterances.size(), 1U);
  EXPECT_DOUBLE_EQ(filter_by_length({.text = 1, .mel = 1}, {}).larger_share(), 0.0);
}

TEST(LimitsThatKeepMost, KeepNinetyNinePercentOfUtterancesAndHoursOfAnyCorpus) {
  for (int s = 0; s < 200 * support::test_scale(); ++s) {
    base::Random random(static_cast<std::uint64_t>(s));
    const std::vector<Lengths> lengths = any_lengths(random, 1 + random.below(600));
    const Lengths limits{between(random, 1, 100), random.below(2) == 0 ? kNoLimit : 300};

    const Lengths enough = limits_that_keep_most(limits, lengths);

    EXPECT_LE(filter_by_length(enough, lengths).larger_share(), 0.01) << "corpus " << s;
    EXPECT_GE(enough.text, limits.text);
    EXPECT_GE(enough.mel, limits.mel);
  }
}

TEST(LimitsThatKeepMost, AreTheSmallestRoundLimitsAndRaiseOnlyThoseThatAreTooLow) {
  std::vector<Lengths> lengths(1000, {.text = 50, .mel = 400});
  lengths[0] = {.text = 300, .mel = 2000};

  EXPECT_EQ(limits_that_keep_most({40, 100}, lengths), (Lengths{56, 416}));
  EXPECT_EQ(limits_that_keep_most({200, 100}, lengths), (Lengths{200, 416}));
  EXPECT_EQ(limits_that_keep_most({40, kNoLimit}, lengths), (Lengths{56, kNoLimit}));
}

TEST(FlagsBetween, NamesTheLimitsThatDiffer) {
  EXPECT_EQ(flags_between({1, 2}, {1, 2}), "");
  EXPECT_EQ(flags_between({1, 2}, {8, 2}), "--max-text-length 8");
  EXPECT_EQ(flags_between({1, 2}, {1, 32}), "--max-mel-frames 32");
  EXPECT_EQ(flags_between({1, 2}, {8, 32}), "--max-text-length 8 --max-mel-frames 32");
}

TEST(LengthFilterWarning, StartsAboveFivePercentAndNamesTheFlagsThatKeepMost) {
  std::vector<Lengths> lengths(95, {.text = 10, .mel = 100});
  lengths.insert(lengths.end(), 5, {.text = 30, .mel = 100});
  EXPECT_EQ(length_filter_warning({20, 100}, lengths), std::nullopt);

  lengths.push_back({.text = 30, .mel = 100});

  EXPECT_EQ(length_filter_warning({20, 100}, lengths),
            "6 of 101 utterances (5.9 %) with 5.9 % of the hours are longer than 20 symbols or 100 "
            "frames and are filtered; --max-text-length 32 --max-mel-frames 128 keeps 99 %");
  EXPECT_EQ(length_filter_refusal({20, 100}, lengths), std::nullopt);
}

TEST(LengthFilterWarning, AlsoCountsTheHours) {
  std::vector<Lengths> lengths(99, {.text = 10, .mel = 100});
  lengths.push_back({.text = 10, .mel = 2000});

  const std::string text = length_filter_warning({kNoLimit, 100}, lengths).value_or("none");

  EXPECT_NE(text.find("1 of 100 utterances (1.0 %) with 16.8 % of the hours are longer than 100 "
                      "frames"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("filtered; --max-mel-frames 2016 keeps"), std::string::npos) << text;
}

TEST(LengthFilterRefusal, StartsAboveOneHalf) {
  EXPECT_EQ(length_filter_refusal({kNoLimit, 700}, ten()), std::nullopt);  // 30 % and 49 %
  const std::string text = length_filter_refusal({kNoLimit, 690}, ten()).value_or("none");
  EXPECT_TRUE(text.starts_with("more than half of the data would be filtered: 4 of 10")) << text;
  EXPECT_NE(text.find("--max-mel-frames 1024 keeps 99 %"), std::string::npos) << text;
}

}  // namespace
}  // namespace myxtts::data
