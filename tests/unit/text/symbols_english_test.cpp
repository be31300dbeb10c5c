#include "text/symbols_english.h"

#include <gtest/gtest.h>

namespace myxtts::text {
namespace {

TEST(SymbolsEnglish, ReadsSignsButNotPunctuation) {
  EXPECT_EQ(symbol_words_english(U'&'), "and");
  EXPECT_EQ(symbol_words_english(U'\u2030'), "per mille");
  EXPECT_EQ(symbol_words_english(U'\u03c0'), "pi");
  EXPECT_EQ(symbol_words_english(U'.'), "");
  EXPECT_EQ(symbol_words_english(U'a'), "");
}

TEST(SymbolsEnglish, KeepsPunctuationOnly) {
  for (const char32_t mark : std::u32string_view(U".,;:!?()\"-\u2014\u2026")) {
    EXPECT_TRUE(is_kept_punctuation_english(mark)) << static_cast<unsigned>(mark);
  }
  EXPECT_FALSE(is_kept_punctuation_english(U'*'));
  EXPECT_FALSE(is_kept_punctuation_english(U'a'));
}

TEST(SymbolsEnglish, SpellsOutSignsThatUnificationLoses) {
  EXPECT_TRUE(spell_out_signs(U"m\u00b2") == U"m squared");
  EXPECT_TRUE(spell_out_signs(U"5\u22123") == U"5 minus 3");
  EXPECT_TRUE(spell_out_signs(U"$\u22125") == U"$\u22125");
  EXPECT_TRUE(spell_out_signs(U"\u21165") == U" number 5");
}

}  // namespace
}  // namespace myxtts::text
