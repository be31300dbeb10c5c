#include "text/pieces.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace myxtts::text {
namespace {

std::string joined_segments(const std::vector<Segment>& segments) {
  std::string text;
  for (const Segment& segment : segments)
    text += segment.before + "<" + segment.piece + ">";
  return text;
}

TEST(SplitAtPunctuation, KeepsPunctuationAndSpacesBetweenPieces) {
  EXPECT_EQ(joined_segments(split_at_punctuation("\"Well, no!\" (he said)")),
            "\"<Well>, <no>!\" (<he said>)<>");
  EXPECT_EQ(joined_segments(split_at_punctuation("سلام، دنیا؟")), "<سلام>، <دنیا>؟<>");
}

TEST(SplitAtPunctuation, DoesNotSplitInsideANumber) {
  EXPECT_EQ(joined_segments(split_at_punctuation("at 3.5, or 10:30.")), "<at 3.5>, <or 10:30>.<>");
}

TEST(SplitAtPunctuation, OmitsPiecesWithoutLettersOrDigits) {
  EXPECT_EQ(joined_segments(split_at_punctuation("a, -, b")), "<a>, , <b>");
  EXPECT_EQ(joined_segments(split_at_punctuation("...")), "...<>");
  EXPECT_TRUE(split_at_punctuation("").empty());
}

TEST(SplitAtPunctuation, RemovesRunsOfApostrophesAndBrackets) {
  std::string crashing;
  for (int i = 0; i < 70; ++i)
    crashing += "s'";

  const std::vector<Segment> segments = split_at_punctuation(crashing + " [[h@]]");

  ASSERT_EQ(segments.size(), 1U);
  EXPECT_EQ(std::ranges::count(segments[0].piece, '\''), 3);
  EXPECT_EQ(segments[0].piece.find_first_of("[]"), std::string::npos);
}

TEST(SplitAtPunctuation, SplitsLongPiecesAtASpaceOrACharacter) {
  std::string words;
  for (int i = 0; i < 500; ++i)
    words += "word ";
  std::string one_word;
  for (int i = 0; i < 1000; ++i)
    one_word += "é";

  for (const std::string& text : {words, one_word}) {
    const std::vector<Segment> segments = split_at_punctuation(text);

    EXPECT_GT(segments.size(), 4U);
    for (const Segment& segment : segments) {
      EXPECT_LE(segment.piece.size(), kMaxPieceBytes);
      EXPECT_TRUE(base::is_utf8(segment.piece));
    }
  }
}

}  // namespace
}  // namespace myxtts::text
