#include "config/yaml_tree.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/scale.h"

namespace myxtts::config {
namespace {

std::string error_of_tree(const std::string& bytes) {
  try {
    parse_yaml_tree(bytes, "x.yaml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(const std::string& piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += piece;
  return text;
}

TEST(YamlTree, KeepsNamesLinesAndQuotes) {
  const YamlNode root = parse_yaml_tree("a:\n  b: 5\n  c: \"5\"\nd: [x, y]\n", "x.yaml");

  ASSERT_EQ(root.items.size(), 2U);
  const YamlNode& a = root.items[0];
  ASSERT_EQ(a.items.size(), 2U);
  EXPECT_EQ(a.items[0].name, "b");
  EXPECT_EQ(a.items[0].line, 2);
  EXPECT_FALSE(a.items[0].quoted);
  EXPECT_TRUE(a.items[1].quoted);
  EXPECT_EQ(root.items[1].items[1].text, "y");
}

TEST(YamlTree, AnEmptyDocumentIsNull) {
  EXPECT_EQ(parse_yaml_tree("", "x.yaml").kind, YamlNode::Kind::kNull);
  EXPECT_EQ(parse_yaml_tree("# only a comment\n", "x.yaml").kind, YamlNode::Kind::kNull);
}

TEST(YamlTree, RejectsUnsupportedYaml) {
  EXPECT_EQ(error_of_tree("a: 1\nb: 2\na: 3\n"), "x.yaml:3: 'a' occurs twice; remove one");
  EXPECT_NE(error_of_tree("a: &x 1\n").find("x.yaml:1: anchors"), std::string::npos);
  EXPECT_NE(error_of_tree("a: &x 1\nb: *x\n").find("anchors"), std::string::npos);
  EXPECT_NE(error_of_tree("a: !!int 1\n").find("tags"), std::string::npos);
  EXPECT_NE(error_of_tree("a: 1\n---\nb: 2\n").find("second document"), std::string::npos);
  EXPECT_NE(error_of_tree("[a, b]: 1\n").find("expected a word as key"), std::string::npos);
  EXPECT_NE(error_of_tree(std::string("a: 1\n\0", 6)).find("x.yaml:2: control"), std::string::npos);
  EXPECT_NE(error_of_tree("a: \xFF\n").find("not UTF-8"), std::string::npos);
  EXPECT_NE(error_of_tree(std::string(300, 'k') + ": 1\n").find("key of 300 bytes"),
            std::string::npos);
}

TEST(YamlTree, AcceptsAtMostSixtyFourLevels) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };

  EXPECT_EQ(error_of_tree(nested(kMaxYamlDepth)), "");
  EXPECT_EQ(error_of_tree(nested(kMaxYamlDepth + 1)), "x.yaml:1: nested deeper than 64 levels");
}

TEST(YamlTree, AcceptsAtMostOneMebibyte) {
  const std::string comments = repeated(std::string(127, '#').append("\n"), kMaxYamlBytes / 128);
  ASSERT_EQ(comments.size(), kMaxYamlBytes);

  EXPECT_EQ(error_of_tree(comments), "");
  EXPECT_NE(error_of_tree(comments + "\n").find("1048577 bytes"), std::string::npos);
}

TEST(YamlTree, RejectsTooLongLines) {
  EXPECT_EQ(error_of_tree("a: 1\nb: " + std::string(kMaxYamlLineBytes - 3, 'x')), "");
  EXPECT_EQ(error_of_tree("a: 1\nb: " + std::string(kMaxYamlLineBytes - 2, 'x')),
            "x.yaml:2: line of 16385 bytes; expected at most 16384");
}

// Repeats the piece, with a line break before a line becomes too long.
std::string repeat_in_lines(const std::string& start,
                            const std::string& piece,
                            std::size_t num_bytes) {
  std::string text = start;
  std::size_t line_start = 0;
  while (text.size() + piece.size() < num_bytes) {
    if (text.size() - line_start > kMaxYamlLineBytes - 100) {
      text += '\n';
      line_start = text.size();
    }
    text += piece;
  }
  return text;
}

TEST(YamlTree, HostileFilesAreHandledQuickly) {
  const std::size_t num_bytes =
      (kMaxYamlBytes / 64) * static_cast<std::size_t>(support::test_scale());
  for (const char* piece : {"[",   "{",   "- ",   "? ",      ": ",      "a,",    "a\n", "- a\n",
                            "[\n", "{\n", "\"\n", "a: |\n ", "%A\n",    "[a,",   "{? ", "a: b\n",
                            "&a ", "*a ", "!a ",  "'\n",     "--- a\n", "k: [\n"}) {
    for (const char* start : {"", "[", "{", "a: ", "a: \"", "a: &a [*a,\n"}) {
      const std::string text = repeat_in_lines(start, piece, num_bytes);
      const auto begin = std::chrono::steady_clock::now();

      error_of_tree(text);

      EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2))
          << start << piece;
    }
  }
}

}  // namespace
}  // namespace myxtts::config
