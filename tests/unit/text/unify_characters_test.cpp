#include "text/unify_characters.h"

#include <gtest/gtest.h>

namespace myxtts::text {
namespace {

std::u32string unify(std::string_view utf8) {
  DroppedCharacters dropped;
  return unify_characters(utf8, dropped);
}

TEST(UnifyCharacters, FoldsCompatibilityFormsAndDigits) {
  EXPECT_EQ(unify("ﬁ １２ ۳٤"), U"fi 12 34");
  EXPECT_EQ(unify("1½"), U"1 1/2");
}

TEST(UnifyCharacters, KeepsTheHalfSpaceAndDropsOtherFormatCharacters) {
  EXPECT_EQ(unify("a\u200cb\u200d\u200e\ufeff\u00ad"), U"a\u200cb");
}

TEST(UnifyCharacters, DashBecomesAHyphenBetweenDigitsOnly) {
  EXPECT_EQ(unify("1–2"), U"1-2");
  EXPECT_EQ(unify("a–b"), U"a\u2014b");
}

TEST(DroppedCharacters, ListsEachOnceUpToTheLimit) {
  DroppedCharacters dropped;
  for (char32_t c = 0x4e00; c < 0x4e00 + 100; ++c)
    dropped.add(c);
  dropped.add(0x4e00);

  EXPECT_EQ(dropped.list().size(), DroppedCharacters::kMaxListed);
}

TEST(TidyPunctuation, MergesRunsAndRemovesSpaces) {
  EXPECT_EQ(tidy_punctuation(U"a  b ,c ( d ) !! ?! ..."), U"a b,c (d)?");
  EXPECT_EQ(tidy_punctuation(U"it'''s -- so"), U"it's \u2014 so");
}

TEST(FoldSpaces, RemovesControlCharactersOnly) {
  EXPECT_EQ(fold_spaces(U" a\t\n b\x01\x7f \u00a0C1 "), U"a b C1");
}

TEST(Decompose, SplitsLetterAndAccent) {
  EXPECT_EQ(decompose(U'\u00e9'), U"e\u0301");
  EXPECT_EQ(decompose(U'x'), U"x");
}

}  // namespace
}  // namespace myxtts::text
