#include "config/value.h"

#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/scale.h"

namespace myxtts::config {
namespace {

YamlNode unquoted(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.text = text;
  return node;
}

template <typename Value>
Field field_of(Value& value, const char* unset = "null") {
  return Field{"data", "probe", ValueRef(&value), "test value", {.unset = unset}};
}

// Writes a value as YAML and reads it back.
template <typename Value>
Value round_trip(Value value) {
  const std::string text = to_yaml(field_of(value));
  Value back{};
  const auto problem = assign(field_of(back), parse_yaml_tree(text, "x.yaml"));
  EXPECT_EQ(problem.value_or(""), "") << text;
  return back;
}

TEST(Value, NumbersRoundTripToTheBit) {
  base::Random random(7);
  for (const double number : {0.1, -0.0, 1e-5, 2e-3, 1.0 / 3, 1e300, 5e-324, 8000.0, -23.0}) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(round_trip(number)),
              std::bit_cast<std::uint64_t>(number));
  }
  for (int i = 0; i < 200 * support::test_scale(); ++i) {
    const double number = (random.unit() - 0.5) * static_cast<double>(random.next());
    EXPECT_EQ(round_trip(number), number);
  }
}

TEST(Value, NumbersHaveADecimalPoint) {
  double small = 1e-5;
  double whole = 8000;

  EXPECT_EQ(to_yaml(field_of(small)), "1.0e-05");
  EXPECT_EQ(to_yaml(field_of(whole)), "8000.0");
}

TEST(Value, ALeadingZeroIsRejectedAsAmbiguous) {
  int whole = 0;
  double part = 0.0;

  EXPECT_EQ(assign(field_of(whole), unquoted("010")),
            "expected integer, found '010' with a leading zero");
  EXPECT_TRUE(assign(field_of(whole), unquoted("-08")).has_value());
  EXPECT_TRUE(assign(field_of(part), unquoted("00.5")).has_value());
  EXPECT_FALSE(assign(field_of(part), unquoted("0.5")).has_value());
  EXPECT_FALSE(assign(field_of(part), unquoted("-0.5")).has_value());
  EXPECT_FALSE(assign(field_of(whole), unquoted("0")).has_value());
}

TEST(Value, AnyStringRoundTrips) {
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
    EXPECT_EQ(round_trip(text), text);
    EXPECT_EQ(round_trip(std::optional<std::string>(text)), text);
  }
  EXPECT_EQ(round_trip(std::optional<std::string>()), std::nullopt);
  const std::vector<std::string> list = {"a", "b, c", "", "]"};
  EXPECT_EQ(round_trip(list), list);
  EXPECT_EQ(round_trip(std::vector<std::string>()), std::vector<std::string>());
}

TEST(Value, AnUnsetValueHasItsOwnSpelling) {
  std::optional<int> buckets = 3;

  EXPECT_EQ(assign(field_of(buckets, "auto"), unquoted("auto")), std::nullopt);

  EXPECT_EQ(buckets, std::nullopt);
  EXPECT_EQ(to_yaml(field_of(buckets, "auto")), "auto");
}

TEST(Value, WrongTypesAreReportedAndChangeNothing) {
  int number = 3;
  bool on = true;
  double rate = 0.5;
  YamlNode quoted = unquoted("5");
  quoted.quoted = true;

  EXPECT_EQ(assign(field_of(number), unquoted("abc")).value(), "expected integer, found 'abc'");
  EXPECT_EQ(assign(field_of(number), unquoted("1.5")).value(), "expected integer, found '1.5'");
  EXPECT_TRUE(assign(field_of(number), unquoted("99999999999")));
  EXPECT_EQ(assign(field_of(number), quoted).value(), "expected integer, found '5' in quotes");
  EXPECT_EQ(assign(field_of(number), YamlNode{}).value(), "expected integer, found nothing");
  EXPECT_EQ(assign(field_of(on), unquoted("2")).value(), "expected true or false, found '2'");
  for (const char* word : {"inf", "nan", ".nan", "1e999", "", "+-1", "0x10", "1 2"}) {
    EXPECT_TRUE(assign(field_of(rate), unquoted(word))) << word;
  }

  EXPECT_EQ(number, 3);
  EXPECT_TRUE(on);
  EXPECT_EQ(rate, 0.5);
}

TEST(Value, AListArgumentIsYamlOrOneItem) {
  std::vector<std::string> list;

  assign(field_of(list), node_from_argument(field_of(list), "[a, b]", "--set"));
  EXPECT_EQ(list, (std::vector<std::string>{"a", "b"}));

  assign(field_of(list), node_from_argument(field_of(list), "Hello, you.", "--set"));
  EXPECT_EQ(list, std::vector<std::string>{"Hello, you."});
}

}  // namespace
}  // namespace myxtts::config
