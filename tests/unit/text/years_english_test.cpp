#include "text/years_english.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(YearsEnglish, CountsBeforeAPlural) {
  expect_english({
      {"I have 1234 pears", "I have one thousand two hundred thirty-four pears"},
      {"It weighs 1999 grams", "It weighs one thousand nine hundred ninety-nine grams"},
      {"1999 dollars", "one thousand nine hundred ninety-nine dollars"},
      {"1500 people came", "one thousand five hundred people came"},
      {"1200-1500 pears", "one thousand two hundred to one thousand five hundred pears"},
  });
}

TEST(YearsEnglish, IsAYearEverywhereElse) {
  expect_english({
      {"in 1998", "in nineteen ninety-eight"},
      {"1998, when", "nineteen ninety-eight, when"},
      {"1998 was good", "nineteen ninety-eight was good"},
      {"the 1990 census", "the nineteen ninety census"},
      {"In 1998 prices rose", "In nineteen ninety-eight prices rose"},
      {"May 3, 1998", "May third, nineteen ninety-eight"},
      {"May 1998 sales", "May nineteen ninety-eight sales"},
      {"the 1996 Olympics", "the nineteen ninety-six Olympics"},
  });
}

TEST(YearsEnglish, ReadsTheWordAfterARange) {
  EXPECT_TRUE(counts_something(U"1200-1500 cows", 0, 4));
  EXPECT_FALSE(counts_something(U"1200-1500 Cows", 0, 4));
  EXPECT_FALSE(counts_something(U"1200", 0, 4));
}

}  // namespace
}  // namespace myxtts::text
