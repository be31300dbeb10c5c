#include "text/quantities_english.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(QuantitiesEnglish, ReadsAmountsWithSeparators) {
  const Amount amount = read_amount(U"1,234.50 x", 0);

  EXPECT_EQ(amount.length, 8U);
  EXPECT_EQ(amount.whole, "1234");
  EXPECT_EQ(amount.decimals, "50");
  EXPECT_TRUE(amount.grouped);
}

TEST(QuantitiesEnglish, ReadsOrdinalsPercentAndFractions) {
  expect_english({
      {"1st", "first"},
      {"22nd", "twenty-second"},
      {"the 103rd", "the one hundred third"},
      {"1,000th", "one thousandth"},
      {"50%", "fifty percent"},
      {"3.5 %", "three point five percent"},
      {"1/2", "one half"},
      {"3/4", "three quarters"},
      {"2/3 of it", "two thirds of it"},
      {"1 1/2", "one and a half"},
      {"2½ cups", "two and a half cups"},
      {"5/8", "five eighths"},
      {"24/7", "twenty-four seven"},
      {"7/5", "seven slash five"},
  });
}

TEST(QuantitiesEnglish, ReadsRanges) {
  expect_english({
      {"10-20", "ten to twenty"},
      {"10–20%", "ten to twenty percent"},
      {"5-10 km", "five to ten kilometers"},
      {"1-2-3", "one two three"},
      {"1-2-3-4", "one two three four"},
      {"a 3-year-old", "a three-year-old"},
  });
}

TEST(QuantitiesEnglish, ReadsTelephoneNumbersDigitByDigit) {
  const std::string spoken = "five five five, one two three, four five six seven";

  expect_english({
      {"555-123-4567", spoken},
      {"(555) 123-4567", spoken},
      {"+1 555 123 4567", "plus one, " + spoken},
      {"1-555-123-4567", "one, " + spoken},
      {"123-4567.", "one two three, four five six seven."},
  });
}

TEST(QuantitiesEnglish, ReadsSpecialForms) {
  expect_english({
      {"10K", "ten thousand"},
      {"1.5M views", "one point five million views"},
      {"in 4K now", "in four K now"},
      {"1980's", "nineteen eighties"},
      {"v1.2.3", "v one point two point three"},
      {"1..2", "one… two"},
  });
}

TEST(QuantitiesEnglish, ReadsUnits) {
  expect_english({
      {"5 km", "five kilometers"},
      {"1 km", "one kilometer"},
      {"10kg", "ten kilograms"},
      {"100 km/h", "one hundred kilometers per hour"},
      {"5 m²", "five meters squared"},
      {"72°F", "seventy-two degrees Fahrenheit"},
      {"-5 °C", "minus five degrees Celsius"},
      {"45°", "forty-five degrees"},
      {"6 ft. tall", "six feet tall"},
      {"He is 6 ft.", "He is six feet."},
      {"16 GB", "sixteen gigabytes"},
      {"3.5 GHz", "three point five gigahertz"},
      {"250 ml", "two hundred fifty milliliters"},
      {"2000 kg", "two thousand kilograms"},
      {"5 in the box", "five in the box"},
      {"5 men", "five men"},
  });
}

}  // namespace
}  // namespace myxtts::text
