#include "text/numbers_persian.h"

#include <gtest/gtest.h>

namespace myxtts::text {
namespace {

TEST(NumbersPersian, JoinsThePartsOfALargeNumber) {
  EXPECT_EQ(cardinal_persian(1'234'567), "یک میلیون و دویست و سی و چهار هزار و پانصد و شصت و هفت");
  EXPECT_EQ(cardinal_persian(1001), "هزار و یک");
}

TEST(NumbersPersian, ChangesTheLastWordOfAnOrdinal) {
  EXPECT_EQ(ordinal_persian(23), "بیست و سوم");
  EXPECT_EQ(ordinal_persian(30), "سی\u200cام");
  EXPECT_EQ(ordinal_persian(4), "چهارم");
}

TEST(NumbersPersian, SpellsCodesAndTooLargeNumbers) {
  EXPECT_EQ(integer_persian("05"), "صفر پنج");
  EXPECT_EQ(integer_persian("1000000000000000").substr(0, 4), "یک");
}

}  // namespace
}  // namespace myxtts::text
