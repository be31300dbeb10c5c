#include "synthesis/word_timings.h"

#include <gtest/gtest.h>

namespace myxtts::synthesis {
namespace {

struct Spoken {
  std::vector<std::string> symbols;
  std::vector<std::int64_t> durations;
};

// Returns one symbol per character, each `frames` long.
Spoken spoken(const std::string& phonemes, std::int64_t frames = 2) {
  Spoken result;
  for (const char character : phonemes) {
    result.symbols.emplace_back(1, character);
    result.durations.push_back(frames);
  }
  return result;
}

std::vector<WordTiming> timings(const std::string& text, const Spoken& spoken) {
  return word_timings(text, spoken.symbols, spoken.durations, /*seconds_per_frame=*/0.5);
}

TEST(WordTimings, WordsBeginAndEndWithTheirSymbols) {
  const std::vector<WordTiming> words = timings("one two.", spoken("wn tu."));

  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].text, "one");
  EXPECT_DOUBLE_EQ(words[0].start_s, 0.0);
  EXPECT_DOUBLE_EQ(words[0].end_s, 2.0);
  EXPECT_EQ(words[1].text, "two");
  EXPECT_DOUBLE_EQ(words[1].start_s, 3.0);  // after the space
  EXPECT_DOUBLE_EQ(words[1].end_s, 5.0);    // before the full stop
}

TEST(WordTimings, JoinedWordsAreOneEntry) {
  const std::vector<WordTiming> words = timings("dollars of the money", spoken("dalrz vde mani"));

  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[0].text, "dollars");
  EXPECT_EQ(words[1].text, "of the");
  EXPECT_EQ(words[2].text, "money");
}

TEST(WordTimings, AWordSpokenAsSeveralIsOneEntry) {
  const std::vector<WordTiming> words = timings("abcdef gh", spoken("abc def gh"));

  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].text, "abcdef");
  EXPECT_DOUBLE_EQ(words[0].end_s, 7.0);
  EXPECT_DOUBLE_EQ(words[1].start_s, 8.0);
}

TEST(WordTimings, BlanksAndPunctuationBelongToNoWord) {
  const Spoken blanks{.symbols = {"a", "_", "b", "_", " ", ",", "c", "_"},
                      .durations = {1, 1, 1, 1, 2, 3, 1, 1}};

  const std::vector<WordTiming> words = timings("ab, - c", blanks);

  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].text, "ab");
  EXPECT_DOUBLE_EQ(words[0].end_s, 1.5);
  EXPECT_DOUBLE_EQ(words[1].start_s, 4.5);
  EXPECT_DOUBLE_EQ(words[1].end_s, 5.0);
}

TEST(WordTimings, ATextWithoutWordsHasNone) {
  EXPECT_TRUE(timings("...", spoken("...")).empty());
  EXPECT_TRUE(timings("", spoken("")).empty());
}

}  // namespace
}  // namespace myxtts::synthesis
