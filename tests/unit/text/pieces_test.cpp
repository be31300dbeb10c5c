#include "text/pieces.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace xtts::text {
namespace {

std::string joined_segments(const std::vector<Segment>& segments) {
  std::string text;
  for (const Segment& segment : segments)
    text += segment.before + "<" + segment.piece + ">";
  return text;
}

TEST(SplitAtMarks, KeepsEveryMarkAndSpaceBetweenPieces) {
  EXPECT_EQ(joined_segments(split_at_marks("\"Well, no!\" (he said)")),
            "\"<Well>, <no>!\" (<he said>)<>");
  EXPECT_EQ(joined_segments(split_at_marks("سلام، دنیا؟")), "<سلام>، <دنیا>؟<>");
}

TEST(SplitAtMarks, KeepsAPointInsideANumber) {
  EXPECT_EQ(joined_segments(split_at_marks("at 3.5, or 10:30.")), "<at 3.5>, <or 10:30>.<>");
}

TEST(SplitAtMarks, LeavesOutWhatHasNothingToSay) {
  EXPECT_EQ(joined_segments(split_at_marks("a, -, b")), "<a>, , <b>");
  EXPECT_EQ(joined_segments(split_at_marks("...")), "...<>");
  EXPECT_TRUE(split_at_marks("").empty());
}

TEST(SplitAtMarks, CutsRunsOfApostrophesAndBrackets) {
  std::string hostile;
  for (int i = 0; i < 70; ++i)
    hostile += "s'";

  const std::vector<Segment> segments = split_at_marks(hostile + " [[h@]]");

  ASSERT_EQ(segments.size(), 1U);
  EXPECT_EQ(std::ranges::count(segments[0].piece, '\''), 3);
  EXPECT_EQ(segments[0].piece.find_first_of("[]"), std::string::npos);
}

TEST(SplitAtMarks, CutsLongPiecesAtASpaceOrACharacter) {
  std::string words;
  for (int i = 0; i < 500; ++i)
    words += "word ";
  std::string one_word;
  for (int i = 0; i < 1000; ++i)
    one_word += "é";

  for (const std::string& text : {words, one_word}) {
    const std::vector<Segment> segments = split_at_marks(text);

    EXPECT_GT(segments.size(), 4U);
    for (const Segment& segment : segments) {
      EXPECT_LE(segment.piece.size(), kMaxPieceBytes);
      EXPECT_TRUE(base::is_utf8(segment.piece));
    }
  }
}

}  // namespace
}  // namespace xtts::text
