#include "synthesis/sentence_list.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::synthesis {
namespace {

TEST(SentenceList, EachNonBlankLineIsASentence) {
  const std::vector<ListedSentence> listed =
      parse_sentence_list("\xEF\xBB\xBF one \r\n\n \t\r\ntwo\n\xFF three");

  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[0].text, "one");
  EXPECT_EQ(listed[0].line, 1U);
  EXPECT_EQ(listed[1].text, "two");
  EXPECT_EQ(listed[1].line, 4U);
  EXPECT_EQ(listed[2].text, "\xFF three");
  EXPECT_EQ(listed[2].line, 5U);
  EXPECT_TRUE(parse_sentence_list("\n \n").empty());
}

TEST(SentenceList, SuggestsTheNearestNameForAMissingFile) {
  const support::TempDir dir;
  dir.write("lines.txt", "one\n");

  EXPECT_EQ(read_sentence_file((dir.path() / "lines.txt").string(), "--text"), "one\n");
  try {
    read_sentence_file((dir.path() / "line.txt").string(), "--text");
    FAIL() << "expected an error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'lines.txt'?"), std::string::npos);
  }
  EXPECT_THROW(read_sentence_file(dir.path().string(), "--text"), UsageError);
}

}  // namespace
}  // namespace myxtts::synthesis
