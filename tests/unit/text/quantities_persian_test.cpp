#include "text/quantities_persian.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(QuantitiesPersian, ConsumesTheWholeQuantity) {
  EXPECT_EQ(read_quantity_persian(U"5 kg x", 0).length, 4U);
  EXPECT_EQ(read_quantity_persian(U"5 % x", 0).length, 3U);
  EXPECT_EQ(read_quantity_persian(U"10-20 x", 0).length, 5U);
  EXPECT_EQ(read_quantity_persian(U"1,234.5 x", 0).length, 7U);
  EXPECT_EQ(read_quantity_persian(U"5 x", 0).length, 1U);
}

TEST(QuantitiesPersian, ReadsOrdinalsWithAnySeparator) {
  expect_persian({
      {"۳-ام", "سوم"},
      {"۱۲ ام", "دوازدهم"},
      {"۱۲ام", "دوازدهم"},
      {"۱۲‌ام", "دوازدهم"},
      {"۱۲ امین", "دوازدهمین"},
      {"۱۲ امروز", "دوازده امروز"},
      {"۱۲ م", "دوازده م"},
  });
}

TEST(QuantitiesPersian, ReadsSigns) {
  EXPECT_EQ(symbol_words_persian(U'%'), "درصد");
  EXPECT_EQ(symbol_words_persian(kRialSign), "ریال");
  EXPECT_EQ(symbol_words_persian(U'x'), "");
}

}  // namespace
}  // namespace myxtts::text
