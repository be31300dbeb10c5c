#include "config/value.h"

#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/scale.h"

namespace xtts::config {
namespace {

YamlNode plain(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.text = text;
  return node;
}

template <typename Value>
Field field_of(Value& value, const char* unset = "null") {
  return Field{"data", "probe", ValueRef(&value), "a value of this test", {.unset = unset}};
}

// What reading the written value gives.
template <typename Value>
Value through_yaml(Value value) {
  const std::string text = to_yaml(field_of(value));
  Value back{};
  const auto problem = assign(field_of(back), parse_yaml_tree(text, "x.yaml"));
  EXPECT_EQ(problem.value_or(""), "") << text;
  return back;
}

TEST(Value, NumbersComeBackToTheBit) {
  base::Random random(7);
  for (const double number : {0.1, -0.0, 1e-5, 2e-3, 1.0 / 3, 1e300, 5e-324, 8000.0, -23.0}) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(through_yaml(number)),
              std::bit_cast<std::uint64_t>(number));
  }
  for (int i = 0; i < 200 * support::test_scale(); ++i) {
    const double number = (random.unit() - 0.5) * static_cast<double>(random.next());
    EXPECT_EQ(through_yaml(number), number);
  }
}

TEST(Value, NumbersAreWrittenSoThatEveryYamlReaderKnowsThem) {
  double small = 1e-5;
  double whole = 8000;

  EXPECT_EQ(to_yaml(field_of(small)), "1.0e-05");
  EXPECT_EQ(to_yaml(field_of(whole)), "8000.0");
}

TEST(Value, ALeadingZeroIsRefusedForItHasTwoMeanings) {
  int whole = 0;
  double part = 0.0;

  EXPECT_EQ(assign(field_of(whole), plain("010")),
            "expected integer, found '010' with a leading zero");
  EXPECT_TRUE(assign(field_of(whole), plain("-08")).has_value());
  EXPECT_TRUE(assign(field_of(part), plain("00.5")).has_value());
  EXPECT_FALSE(assign(field_of(part), plain("0.5")).has_value());
  EXPECT_FALSE(assign(field_of(part), plain("-0.5")).has_value());
  EXPECT_FALSE(assign(field_of(whole), plain("0")).has_value());
}

TEST(Value, StringsComeBackWhateverIsInThem) {
  for (const std::string text : {"",
                                 "en",
                                 "true",
                                 "No",
                                 "null",
                                 "~",
                                 "5",
                                 "1e3",
                                 "a: b",
                                 " # x",
                                 "^([a-z]+)_\\d \"q\" 'r'",
                                 "line\nbreak\tand\rmore\x01",
                                 "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85",
                                 "[x]",
                                 "*a",
                                 "- b"}) {
    EXPECT_EQ(through_yaml(text), text);
    EXPECT_EQ(through_yaml(std::optional<std::string>(text)), text);
  }
  EXPECT_EQ(through_yaml(std::optional<std::string>()), std::nullopt);
  const std::vector<std::string> list = {"a", "b, c", "", "]"};
  EXPECT_EQ(through_yaml(list), list);
  EXPECT_EQ(through_yaml(std::vector<std::string>()), std::vector<std::string>());
}

TEST(Value, AnAbsentValueHasItsOwnWord) {
  std::optional<int> buckets = 3;

  EXPECT_EQ(assign(field_of(buckets, "auto"), plain("auto")), std::nullopt);

  EXPECT_EQ(buckets, std::nullopt);
  EXPECT_EQ(to_yaml(field_of(buckets, "auto")), "auto");
}

TEST(Value, WrongTypesAreNamedAndChangeNothing) {
  int number = 3;
  bool on = true;
  double rate = 0.5;
  YamlNode quoted = plain("5");
  quoted.quoted = true;

  EXPECT_EQ(assign(field_of(number), plain("abc")).value(), "expected integer, found 'abc'");
  EXPECT_EQ(assign(field_of(number), plain("1.5")).value(), "expected integer, found '1.5'");
  EXPECT_TRUE(assign(field_of(number), plain("99999999999")));
  EXPECT_EQ(assign(field_of(number), quoted).value(), "expected integer, found '5' in quotes");
  EXPECT_EQ(assign(field_of(number), YamlNode{}).value(), "expected integer, found nothing");
  EXPECT_EQ(assign(field_of(on), plain("2")).value(), "expected true or false, found '2'");
  for (const char* word : {"inf", "nan", ".nan", "1e999", "", "+-1", "0x10", "1 2"}) {
    EXPECT_TRUE(assign(field_of(rate), plain(word))) << word;
  }

  EXPECT_EQ(number, 3);
  EXPECT_TRUE(on);
  EXPECT_EQ(rate, 0.5);
}

TEST(Value, AListOnTheCommandLineIsYamlOrOneItem) {
  std::vector<std::string> list;

  assign(field_of(list), node_from_argument(field_of(list), "[a, b]", "--set"));
  EXPECT_EQ(list, (std::vector<std::string>{"a", "b"}));

  assign(field_of(list), node_from_argument(field_of(list), "Hello, you.", "--set"));
  EXPECT_EQ(list, std::vector<std::string>{"Hello, you."});
}

}  // namespace
}  // namespace xtts::config
