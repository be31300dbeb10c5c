#include "base/printable.h"

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

TEST(Printable, KeepsLettersOfAllScripts) {
  EXPECT_EQ(printable("caf\xC3\xA9 \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85"),
            "caf\xC3\xA9 \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85");
}

TEST(Printable, EscapesInvalidUtf8AndControlCharacters) {
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x1B[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("\xFF\xC3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("ab\xC3\xA9z", 3), "ab\xC3\xA9...");
}

TEST(ShellWord, QuotesWordsWithSpecialCharacters) {
  EXPECT_EQ(shell_word("runs/demo-1.wav"), "runs/demo-1.wav");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my corpus"), "'my corpus'");
  EXPECT_EQ(shell_word("$HOME;ls"), "'$HOME;ls'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a\nb'c\\"), "$'a\\x0ab\\'c\\\\'");
}

}  // namespace
}  // namespace myxtts::base
