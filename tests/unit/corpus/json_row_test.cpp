#include "corpus/json_row.h"

#include <gtest/gtest.h>

namespace myxtts::corpus {
namespace {

using Members = std::map<std::string, std::string>;

TEST(JsonRow, KeepsStringsAndNumbersAndSkipsNestedValues) {
  const JsonRow row = parse_json_row(
      R"({"file_name": "a.wav", "speaker_id": 3, "rate": 1.5, "more": {"text": "no"},
          "list": ["x"], "text": "hi", "none": null})");

  EXPECT_EQ(row.fault, "");
  EXPECT_EQ(
      row.members,
      (Members{{"file_name", "a.wav"}, {"rate", "1.5"}, {"speaker_id", "3"}, {"text", "hi"}}));
}

TEST(JsonRow, DecodesEscapes) {
  const JsonRow row = parse_json_row(R"({"text": "\u0633 \"x\" \ud83d\ude00"})");

  EXPECT_EQ(row.members.at("text"), "\xD8\xB3 \"x\" \xF0\x9F\x98\x80");
}

TEST(JsonRow, RefusesValuesThatAreNotObjects) {
  for (const char* line : {"3", "\"x\"", "null", "true", "[1]", "[]", "[[]]"}) {
    EXPECT_EQ(parse_json_row(line).fault, "not an object") << line;
  }
}

TEST(JsonRow, ReportsThePositionOfInvalidJson) {
  EXPECT_EQ(parse_json_row(R"({"a": })").fault, "invalid JSON at byte 7");
  EXPECT_FALSE(parse_json_row("").fault.empty());
  EXPECT_FALSE(parse_json_row(R"({"a": 1} trailing)").fault.empty());
  EXPECT_FALSE(parse_json_row(R"({"a": "\ud800"})").fault.empty());
}

TEST(JsonRow, RefusesDeepNesting) {
  const std::string open(60'000, '[');

  EXPECT_EQ(parse_json_row(R"({"a": )" + open).fault, "nested deeper than 16 levels");
}

}  // namespace
}  // namespace myxtts::corpus
