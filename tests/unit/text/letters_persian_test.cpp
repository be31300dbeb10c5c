#include "text/letters_persian.h"

#include <gtest/gtest.h>

namespace myxtts::text {
namespace {

TEST(LettersPersian, RecognisesLettersButNotVowelSigns) {
  EXPECT_TRUE(is_arabic_letter(U'\u06a9'));
  EXPECT_FALSE(is_arabic_letter(U'\u064e'));
  EXPECT_FALSE(is_arabic_letter(U'k'));
}

TEST(LettersPersian, RemovesTheHamzaOfAnInitialAlefOnly) {
  EXPECT_EQ(unify_letters_persian(U"\u0623\u0628"), U"\u0627\u0628");
  EXPECT_EQ(unify_letters_persian(U"\u0631\u0623\u06cc"), U"\u0631\u0623\u06cc");
}

TEST(LettersPersian, JoinsSuffixesAndVerbPrefixesOnly) {
  EXPECT_EQ(tidy_half_spaces(U"\u06af\u0644 \u0647\u0627"), U"\u06af\u0644\u200c\u0647\u0627");
  EXPECT_EQ(tidy_half_spaces(U"\u06af\u0644 \u062a\u0631"), U"\u06af\u0644\u200c\u062a\u0631");
  EXPECT_EQ(tidy_half_spaces(U"\u06af\u0644 \u062a\u0648"), U"\u06af\u0644 \u062a\u0648");
  EXPECT_EQ(tidy_half_spaces(U"x \u0647\u0627"), U"x \u0647\u0627");
}

}  // namespace
}  // namespace myxtts::text
