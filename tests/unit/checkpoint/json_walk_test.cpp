#include "checkpoint/json_walk.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

std::vector<std::string> events_of(std::string_view text, std::size_t max_depth = 8) {
  std::vector<std::string> events;
  walk_json(text, max_depth, "test.json", [&](const JsonEvent& event) {
    std::string line = std::string("oatc-").substr(static_cast<std::size_t>(event.kind), 1);
    for (const std::string& key : event.path)
      line += " " + key;
    line += ":" + std::to_string(event.array_depth);
    if (event.kind == JsonEvent::Kind::kText) line += "=" + std::string(event.text);
    if (event.kind == JsonEvent::Kind::kCount) line += "=" + std::to_string(event.count);
    events.push_back(line);
  });
  return events;
}

TEST(JsonWalk, VisitsEveryValueWithItsPath) {
  EXPECT_EQ(events_of(R"({"a": {"b": [1, [2], {"c": "x"}], "d": -1}, "e": 1.5, "f": null})"),
            (std::vector<std::string>{"o:0",
                                      "o a:0",
                                      "a a b:0",
                                      "c a b:1=1",
                                      "a a b:1",
                                      "c a b:2=2",
                                      "o a b:1",
                                      "t a b c:0=x",
                                      "- a d:0",
                                      "- e:0",
                                      "- f:0"}));
}

TEST(JsonWalk, RefusesExcessiveNesting) {
  const std::string deep(1'000'000, '[');
  std::string objects;
  for (int i = 0; i < 100'000; ++i)
    objects += "{\"a\":";

  EXPECT_NO_THROW(events_of("[[[[]]]]", 4));
  EXPECT_THROW(events_of("[[[[[]]]]]", 4), UserError);
  EXPECT_THROW(events_of(deep), UserError);
  EXPECT_THROW(events_of(objects), UserError);
}

TEST(JsonWalk, RefusesInvalidJsonWithItsPosition) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,]", "{} x", "\"\x80\"", "nul", "{\"a\" 1}"})
    EXPECT_THROW(events_of(text), UserError) << text;
  try {
    events_of("{\"a\": x}");
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()), "test.json: invalid JSON at byte 7");
  }
}

TEST(JsonWalk, QuotesEscapeControlCharacters) {
  EXPECT_EQ(json_string("a\"b\n\u00e9"), "\"a\\\"b\\n\u00e9\"");
  EXPECT_EQ(quoted_start("\x1b[31m\u00e9"), "\"\\u001b[31m\\u00e9\"");
  EXPECT_EQ(quoted_start(std::string(90, 'x')), "\"" + std::string(80, 'x') + "\"...");
  EXPECT_THROW(json_string("\xff"), BugError);
}

}  // namespace
}  // namespace myxtts::checkpoint
