#include "synthesis/sentences.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"
#include "support/scale.h"

namespace myxtts::synthesis {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of(std::string_view text, std::size_t max_characters = 200) {
  Texts texts;
  for (const Piece& piece : split_sentences(text, max_characters))
    texts.push_back(piece.text);
  return texts;
}

std::u32string without_blanks(std::string_view utf8) {
  std::u32string text = base::decode_utf8(utf8);
  std::erase_if(text, [](char32_t c) { return c == U' ' || c == U'\n' || c == U'\t'; });
  return text;
}

// Returns the length from the first letter or digit to the last.
std::size_t length_without_marks(std::string_view utf8) {
  const std::u32string text = base::decode_utf8(utf8);
  const std::u32string words = U"aBDrStUeg7\u0633\u06F4\u00E9";
  const std::size_t first = text.find_first_of(words);
  return first == std::u32string::npos ? 0 : text.find_last_of(words) + 1 - first;
}

TEST(SplitSentences, SplitsAtEndMarks) {
  EXPECT_EQ(texts_of("It rains. Why? I do not know!  Ask\nthe sky."),
            (Texts{"It rains.", "Why?", "I do not know!", "Ask\nthe sky."}));
  EXPECT_EQ(texts_of("No mark at all"), Texts{"No mark at all"});
  EXPECT_EQ(texts_of(" \n\t "), Texts{});
}

TEST(SplitSentences, DoesNotSplitAtFullStopsInsideASentence) {
  for (const char* text : {"Dr. Smith met Mr. Jones on Main St. yesterday.",
                           "The U.S. Army paid $3.14 for No. 5.",
                           "J. R. Ewing arrived at 5 p.m. and left, e.g. for Dallas.",
                           "Version 2.0.1 is at example.com now.",
                           "\"Stop!\" he said, and (really?) went on.",
                           "He came approx. three times."}) {
    EXPECT_EQ(texts_of(text), Texts{text});
  }
}

TEST(SplitSentences, SplitsAfterAnAbbreviationAtTheEndOfASentence) {
  EXPECT_EQ(texts_of("Apples, pears, etc. They are cheap."),
            (Texts{"Apples, pears, etc.", "They are cheap."}));
}

TEST(SplitSentences, KeepsClosingQuotesWithTheSentenceBefore) {
  EXPECT_EQ(texts_of("\u201CGo!\u201D She went. (He stayed.) The end."),
            (Texts{"\u201CGo!\u201D", "She went.", "(He stayed.)", "The end."}));
}

TEST(SplitSentences, SplitsAtPersianMarks) {
  EXPECT_EQ(texts_of("\u062D\u0627\u0644\u062A \u0686\u0637\u0648\u0631\u0647\u061F "
                     "\u062E\u0648\u0628\u0645."),
            (Texts{"\u062D\u0627\u0644\u062A \u0686\u0637\u0648\u0631\u0647\u061F",
                   "\u062E\u0648\u0628\u0645."}));
}

TEST(SplitSentences, AttachesPunctuationWithoutAWordToThePieceBefore) {
  EXPECT_EQ(texts_of("Well. ... Yes. !!!"), (Texts{"Well. ...", "Yes. !!!"}));
  EXPECT_EQ(texts_of("... Well."), Texts{"... Well."});
  EXPECT_EQ(texts_of("?!"), Texts{"?!"});
}

TEST(SplitSentences, AnEmptyLineEndsAParagraph) {
  const std::vector<Piece> pieces = split_sentences("A title\n\nOne. Two.\n \nThree.", 200);

  EXPECT_EQ(pieces,
            (std::vector<Piece>{{"A title", PieceEnd::kParagraph},
                                {"One.", PieceEnd::kSentence},
                                {"Two.", PieceEnd::kParagraph},
                                {"Three.", PieceEnd::kSentence}}));
}

TEST(SplitSentences, CutsALongSentenceAtTheBestMarkWithinTheLimit) {
  const std::vector<Piece> pieces =
      split_sentences("one two three four, five six seven eight nine ten eleven", 30);

  EXPECT_EQ(pieces,
            (std::vector<Piece>{{"one two three four,", PieceEnd::kClause},
                                {"five six seven eight nine ten", PieceEnd::kWord},
                                {"eleven", PieceEnd::kSentence}}));
}

TEST(SplitSentences, CutsAWordLongerThanTheLimit) {
  EXPECT_EQ(texts_of("abcdefghij", 4), (Texts{"abcd", "efgh", "ij"}));
}

TEST(SplitSentences, ManyMarksDoNotMakeAPieceLongerThanTheText) {
  const std::string marks(1000, '!');
  EXPECT_EQ(texts_of("So" + marks, 160), Texts{"So" + marks});
  EXPECT_EQ(texts_of(marks + "So", 160), Texts{marks + "So"});
  EXPECT_EQ(texts_of("... ? So", 160), Texts{"... ? So"});
}

// For random texts: no character is lost or moved, limits hold, and every piece has a word.
TEST(SplitSentences, KeepsEveryCharacterOfRandomTexts) {
  const std::u32string alphabet =
      U"aB7 \n.,!?;:\"')(-\u2026\u061F\u060C\u0633\u06F4\u00E9\u201D  .Dr St U.S. e.g. ";
  base::Random random(20);
  for (int round = 0; round < 3000 * support::test_scale(); ++round) {
    std::u32string text;
    for (std::uint64_t i = random.below(80); i > 0; --i)
      text.push_back(alphabet[random.below(alphabet.size())]);
    const std::string utf8 = base::encode_utf8(text);
    const std::size_t limit = 1 + random.below(40);

    const std::vector<Piece> pieces = split_sentences(utf8, limit);

    std::string together;
    for (const Piece& piece : pieces) {
      together += piece.text;
      ASSERT_FALSE(piece.text.empty());
      ASSERT_FALSE(piece.text.front() == ' ' || piece.text.back() == ' ') << utf8;
      ASSERT_LE(length_without_marks(piece.text), limit) << utf8;
      ASSERT_LE(piece.text.size(), utf8.size());
      ASSERT_TRUE(length_without_marks(piece.text) > 0 || pieces.size() == 1) << utf8;
    }
    ASSERT_EQ(base::encode_utf8(without_blanks(together)), base::encode_utf8(without_blanks(utf8)));
  }
}

}  // namespace
}  // namespace myxtts::synthesis
