#include "corpus/columns.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::corpus {
namespace {

Columns columns(const std::vector<std::string_view>& titles) {
  return columns_of(titles);
}

TEST(Columns, AreFoundInAnyOrderAndCase) {
  const Columns found = columns({"Speaker_ID", " Transcription ", "FILE_NAME"});

  EXPECT_TRUE(found.usable());
  EXPECT_EQ(found.name, 2U);
  EXPECT_EQ(found.text, 1U);
  EXPECT_EQ(found.speaker, 0U);
  EXPECT_EQ(found.num_known, 3U);
}

TEST(Columns, FileNameIsPreferredToId) {
  EXPECT_EQ(columns({"id", "file_name", "text"}).name, 1U);
}

TEST(Columns, NormalisedTextHasItsOwnColumn) {
  const Columns found = columns({"id", "text", "normalized"});

  EXPECT_EQ(found.text, 1U);
  EXPECT_EQ(found.normalised, 2U);
}

TEST(Columns, NameAndTextAreRequired) {
  EXPECT_FALSE(columns({"text", "speaker"}).usable());
  EXPECT_FALSE(columns({"file_name", "duration"}).usable());
  EXPECT_FALSE(columns({}).usable());
}

}  // namespace
}  // namespace myxtts::corpus
