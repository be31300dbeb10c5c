#include "text/reading.h"

#include <gtest/gtest.h>

namespace myxtts::text {
namespace {

TEST(Reading, IsSafePastTheEnd) {
  EXPECT_EQ(char_at(U"a", 1), U'\0');
  EXPECT_EQ(count_digits(U"12", 5), 0U);
  EXPECT_EQ(to_ascii(U"ab", 7, 2), "");
  EXPECT_FALSE(matches_at(U"ab", 1, "bc"));
  EXPECT_EQ(skip_spaces(U"a  ", 1), 3U);
}

TEST(Reading, CountsRuns) {
  EXPECT_EQ(count_digits(U"a123b", 1), 3U);
  EXPECT_EQ(count_letters(U"caf\u00e9 x", 0), 4U);
  EXPECT_EQ(to_ascii(U"caf\u00e9", 0, 9), "caf?");
}

TEST(Reading, DistinguishesPossibleFromCertainSentenceEnds) {
  EXPECT_TRUE(sentence_may_end(U" Army", 0));
  EXPECT_FALSE(sentence_surely_ends(U" Army", 0));
  EXPECT_TRUE(sentence_surely_ends(U" The", 0));
  EXPECT_FALSE(sentence_surely_ends(U" Thessaly", 0));
  EXPECT_TRUE(sentence_surely_ends(U"\" He", 0));
  EXPECT_TRUE(sentence_surely_ends(U"", 0));
  EXPECT_FALSE(sentence_may_end(U" army", 0));
}

TEST(Reading, FindsThePreviousWord) {
  EXPECT_EQ(word_before(U"Since 5", 6), "since");
  EXPECT_EQ(word_before(U"May, 5", 5), "may");
  EXPECT_EQ(word_before(U"5", 0), "");
  EXPECT_EQ(word_before(U"aaaaaaaaaaaaaaaaaaaaaaaa 5", 25), "");
}

}  // namespace
}  // namespace myxtts::text
