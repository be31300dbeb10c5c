#include "text/money_english.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(MoneyEnglish, ReadsAmounts) {
  expect_english({
      {"$1,234.56", "one thousand two hundred thirty-four dollars and fifty-six cents"},
      {"$5", "five dollars"},
      {"$1", "one dollar"},
      {"$1.01", "one dollar and one cent"},
      {"$0.99", "ninety-nine cents"},
      {"$5.00", "five dollars"},
      {"$1.5", "one point five dollars"},
      {"$5 million", "five million dollars"},
      {"$5.2 billion", "five point two billion dollars"},
      {"$3bn", "three billion dollars"},
      {"$20k a year", "twenty thousand dollars a year"},
      {"-$5", "minus five dollars"},
      {"$5-$10", "five dollars to ten dollars"},
      {"£3.50", "three pounds and fifty pence"},
      {"£0.01", "one penny"},
      {"€1", "one euro"},
      {"5€", "five euros"},
      {"5 € each", "five euros each"},
      {"¥500", "five hundred yen"},
      {"a $ sign", "a dollars sign"},
      {"5 million dollars", "five million dollars"},
      {"$-5", "minus five dollars"},
      {"$−5", "minus five dollars"},
      {"−$5", "minus five dollars"},
      {"$20-30", "twenty to thirty dollars"},
      {"$20–30 million", "twenty to thirty million dollars"},
      {"US$20", "twenty U S dollars"},
      {"€ 5", "five euros"},
      {"5 € 10", "five euros ten"},
      {"$2024", "two thousand twenty-four dollars"},
  });
}

}  // namespace
}  // namespace myxtts::text
