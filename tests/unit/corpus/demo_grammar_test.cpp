#include "corpus/demo_grammar.h"

#include <set>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::corpus {
namespace {

TEST(DemoGrammar, EveryAlternativeOccurs) {
  const DemoGrammar grammar("# colours\nroot: a {colour} hat\ncolour: red; green;\n  blue\n");
  base::Random random(7);

  std::set<std::string> texts;
  for (int i = 0; i < 200; ++i)
    texts.insert(grammar.expand("root", random));

  EXPECT_EQ(texts, (std::set<std::string>{"a red hat", "a green hat", "a blue hat"}));
}

TEST(DemoGrammar, FormAppliesToAllNestedVerbs) {
  const DemoGrammar grammar(
      "past: she {deed/1}.\norder: {deed/0}!\ndeed: {walk} and [sing|sang]\nwalk: [go|went] "
      "home\n");
  base::Random random(7);

  EXPECT_EQ(grammar.expand("past", random), "she went home and sang.");
  EXPECT_EQ(grammar.expand("order", random), "go home and sing!");
}

TEST(DemoGrammar, EqualGeneratorsGiveEqualText) {
  const DemoGrammar grammar("root: {d}{d}{d}{d}{d}{d}{d}{d}\nd: 0; 1; 2; 3; 4; 5\n");
  base::Random first(3);
  base::Random second(3);
  base::Random other(4);

  const std::string text = grammar.expand("root", first);
  EXPECT_EQ(text, grammar.expand("root", second));
  EXPECT_NE(text, grammar.expand("root", other));
}

TEST(DemoGrammar, RefusesAnInvalidGrammar) {
  EXPECT_THROW(DemoGrammar("root: {missing}\n"), BugError);
  EXPECT_THROW(DemoGrammar("root: a\nroot: b\n"), BugError);
  EXPECT_THROW(DemoGrammar("root: {open\n"), BugError);
  EXPECT_THROW(DemoGrammar("root: a; ; b\n"), BugError);
  EXPECT_THROW(DemoGrammar("no colon\n"), BugError);
}

TEST(DemoGrammar, RefusesARecursiveRule) {
  const DemoGrammar grammar("root: {root}\n");
  base::Random random(1);

  EXPECT_THROW(grammar.expand("root", random), BugError);
}

TEST(DemoGrammar, RefusesAVerbWithoutTheForm) {
  const DemoGrammar grammar("root: {verb/2}\nverb: [go|went]\n");
  base::Random random(1);

  EXPECT_THROW(grammar.expand("root", random), BugError);
}

}  // namespace
}  // namespace myxtts::corpus
