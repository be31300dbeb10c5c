#include "corpus/records.h"

#include <gtest/gtest.h>

namespace myxtts::corpus {
namespace {

std::vector<std::string> numbered_lines_of(std::string_view bytes) {
  LineReader reader(bytes);
  std::vector<std::string> lines;
  for (auto line = reader.next(); line; line = reader.next())
    lines.push_back(std::to_string(line->line) + ":" + std::string(line->bytes));
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, AcceptsByteOrderMarkCrlfAndMissingLastNewline) {
  EXPECT_EQ(numbered_lines_of("\xEF\xBB\xBF"
                              "a|b\r\nc|d"),
            (Lines{"1:a|b", "2:c|d"}));
}

TEST(LineReader, SkipsBlankLinesButCountsThem) {
  EXPECT_EQ(numbered_lines_of("\n \t\na\n\r\nb\n"), (Lines{"3:a", "5:b"}));
}

TEST(LineReader, EmptyInputHasNoLines) {
  EXPECT_EQ(numbered_lines_of(""), Lines{});
  EXPECT_EQ(numbered_lines_of("\xEF\xBB\xBF"), Lines{});
}

TEST(LineReader, ContinuesAfterARecordOfSeveralLines) {
  LineReader reader("\"a\nb\",c\nd\n");
  reader.next();

  reader.skip_to(7);

  const auto after = reader.next();
  ASSERT_TRUE(after);
  EXPECT_EQ(after->bytes, "d");
  EXPECT_EQ(after->line, 3);
}

TEST(SplitFields, KeepsEmptyFields) {
  EXPECT_EQ(split_fields("a||b|", '|'), (std::vector<std::string_view>{"a", "", "b", ""}));
  EXPECT_EQ(split_fields("", '|'), (std::vector<std::string_view>{""}));
}

struct CsvCase {
  const char* bytes;
  std::vector<std::string> fields;
  std::size_t size;
};

TEST(CsvRecord, FollowsRfc4180) {
  const std::vector<CsvCase> cases = {
      {"a,b,c", {"a", "b", "c"}, 5},
      {"a,b\r\nc", {"a", "b"}, 4},
      {"a,,\nx", {"a", "", ""}, 3},
      {"\"a,b\",c\nx", {"a,b", "c"}, 7},
      {"\"say \"\"hi\"\"\",c", {"say \"hi\"", "c"}, 14},
      {"\"two\nlines\",c\r\nx", {"two\nlines", "c"}, 14},
      {"\"\",\"\"", {"", ""}, 5},
      {"\"a\"\r\nb", {"a"}, 4},
  };
  for (const CsvCase& one : cases) {
    const CsvRecord record = parse_csv_record(one.bytes, 1000);

    EXPECT_EQ(record.fault, "") << one.bytes;
    EXPECT_EQ(record.fields, one.fields) << one.bytes;
    EXPECT_EQ(record.size, one.size) << one.bytes;
  }
}

TEST(CsvRecord, ReportsQuoteFaults) {
  for (const char* bytes : {"\"abc", "\"abc\"\"", "x,\"", "\"a\"\"\nb"}) {
    EXPECT_EQ(parse_csv_record(bytes, 1000).fault, "unclosed quote") << bytes;
  }
  EXPECT_NE(parse_csv_record("\"a\"b,c", 1000).fault.find("closing quote"), std::string::npos);
}

TEST(CsvRecord, ReadsAtMostTheLimit) {
  const std::string endless = "\"" + std::string(5000, 'x');

  const CsvRecord record = parse_csv_record(endless, 100);

  EXPECT_FALSE(record.fault.empty());
  EXPECT_LE(record.size, 100U);
}

TEST(Trim, RemovesBlanksAtBothEnds) {
  EXPECT_EQ(trim(" \ta b\r "), "a b");
  EXPECT_EQ(trim(" \t "), "");
}

}  // namespace
}  // namespace myxtts::corpus
