#include "text/symbol_table.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::text {
namespace {

// Models depend on the ids of this table. After an intended change, raise kSymbolTableVersion and
// pin the new hash.
TEST(SymbolTable, HashMatchesItsVersion) {
  const SymbolTable table;

  EXPECT_EQ(kSymbolTableVersion, 1);
  EXPECT_EQ(table.version(), 1);
  EXPECT_EQ(table.size(), 252U);
  EXPECT_EQ(table.hash(), "22aa87da8b83d0f42fbb58819563035bb18f1c9405e45ea355e2af5889c625d9");
}

TEST(SymbolTable, EncodesAndDecodes) {
  const SymbolTable table;
  const std::string text = "həlˈoʊ, wˈɜːld! سلام، «دنیا»؟ n̩ ᵻ — …";

  const Encoded encoded = table.encode(text, false);

  EXPECT_TRUE(encoded.unknown.empty());
  EXPECT_EQ(table.decode(encoded.ids), text);
  for (const std::int64_t id : encoded.ids)
    EXPECT_NE(id, SymbolTable::kPadId);
}

TEST(SymbolTable, AddsABlankAfterEverySymbolExceptSpaces) {
  const SymbolTable table;

  const Encoded encoded = table.encode("ab c", true);

  EXPECT_EQ(encoded.symbols, (std::vector<std::string>{"a", "_", "b", "_", " ", "c", "_"}));
  EXPECT_EQ(encoded.ids[1], SymbolTable::kPadId);
  EXPECT_EQ(table.decode(encoded.ids), "ab c");
}

TEST(SymbolTable, DropsAndReportsUnknownSymbolsOnce) {
  const SymbolTable table;

  const Encoded encoded = table.encode("a😀b😀_", false);

  EXPECT_EQ(encoded.symbols, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(encoded.unknown, (std::vector<std::string>{"😀", "_"}));
}

TEST(SymbolTable, RoundTripsThroughText) {
  const SymbolTable table;

  const SymbolTable copy = SymbolTable::from_text(table.to_text());

  EXPECT_EQ(copy.hash(), table.hash());
  EXPECT_EQ(copy.version(), table.version());
  EXPECT_EQ(copy.encode("ʃ", false).ids, table.encode("ʃ", false).ids);
}

TEST(SymbolTable, DetectsDamage) {
  const std::string good = SymbolTable().to_text();
  std::vector<std::string> damaged = {"", "x", "myxtts symbol table 1\n", good + "more\n"};
  damaged.push_back(good.substr(0, good.size() - 3));
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string copy = good;
    copy[i] = static_cast<char>(copy[i] ^ 0x01);
    if (copy.starts_with("myxtts symbol table 0")) continue;
    damaged.push_back(copy);
  }

  int num_detected = 0;
  for (const std::string& text : damaged) {
    try {
      const SymbolTable table = SymbolTable::from_text(text);
      EXPECT_EQ(table.hash(), SymbolTable().hash()) << text;  // only the version may differ
    } catch (const UserError&) {
      ++num_detected;
    }
  }
  EXPECT_GT(num_detected, static_cast<int>(damaged.size()) - 3);
}

TEST(SymbolTable, RefusesIdsOutsideTheTable) {
  const SymbolTable table;

  EXPECT_THROW(table.decode({static_cast<std::int64_t>(table.size())}), UserError);
  EXPECT_THROW(table.decode({-1}), UserError);
}

TEST(IsSpeakable, DistinguishesSoundsFromPunctuation) {
  for (const char32_t c : U"aZ5\u0633\u0259\u0283") {
    EXPECT_EQ(is_speakable(c), c != U'\0') << static_cast<std::uint32_t>(c);
  }
  for (const char32_t c : U" .,'\u2014\u02c8\u02d0\u0329\u200c") {
    EXPECT_FALSE(is_speakable(c)) << static_cast<std::uint32_t>(c);
  }
}

}  // namespace
}  // namespace myxtts::text
