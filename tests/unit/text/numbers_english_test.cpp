#include "text/numbers_english.h"

#include <string>
#include <utility>
#include <vector>

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(NumbersEnglish, FormatsCardinalsUpToAQuadrillion) {
  const std::vector<std::pair<std::uint64_t, std::string>> cases = {
      {0, "zero"},
      {7, "seven"},
      {13, "thirteen"},
      {20, "twenty"},
      {21, "twenty-one"},
      {100, "one hundred"},
      {110, "one hundred ten"},
      {999, "nine hundred ninety-nine"},
      {1000, "one thousand"},
      {1001, "one thousand one"},
      {12345, "twelve thousand three hundred forty-five"},
      {1000000, "one million"},
      {2000003, "two million three"},
      {5000000000, "five billion"},
      {7000000000001, "seven trillion one"},
      {kLargestCardinal, "one quadrillion"},
  };
  for (const auto& [number, words] : cases)
    EXPECT_EQ(cardinal_english(number), words);
}

TEST(NumbersEnglish, FormatsOrdinals) {
  const std::vector<std::pair<std::uint64_t, std::string>> cases = {
      {1, "first"},
      {2, "second"},
      {3, "third"},
      {4, "fourth"},
      {5, "fifth"},
      {8, "eighth"},
      {9, "ninth"},
      {12, "twelfth"},
      {20, "twentieth"},
      {22, "twenty-second"},
      {100, "one hundredth"},
      {1003, "one thousand third"},
  };
  for (const auto& [number, words] : cases)
    EXPECT_EQ(ordinal_english(number), words);
}

TEST(NumbersEnglish, FormatsYearsInPairs) {
  const std::vector<std::pair<std::uint64_t, std::string>> cases = {
      {1066, "ten sixty-six"},
      {1776, "seventeen seventy-six"},
      {1900, "nineteen hundred"},
      {1905, "nineteen oh five"},
      {1998, "nineteen ninety-eight"},
      {2000, "two thousand"},
      {2005, "two thousand five"},
      {2010, "twenty ten"},
      {2024, "twenty twenty-four"},
      {3000, "three thousand"},
  };
  for (const auto& [year, words] : cases)
    EXPECT_EQ(year_english(year), words);
}

TEST(NumbersEnglish, SpellsCodesDigitByDigit) {
  EXPECT_EQ(integer_english("007"), "zero zero seven");
  EXPECT_EQ(integer_english("0"), "zero");
  EXPECT_EQ(integer_english("1000000000000001").substr(0, 13), "one zero zero");
  EXPECT_EQ(decimal_english("3", "05"), "three point zero five");
}

TEST(NumbersEnglish, ReadsPlainNumbersInText) {
  expect_english({
      {"I have 3 cats.", "I have three cats."},
      {"1,234 people", "one thousand two hundred thirty-four people"},
      {"1,234,567", "one million two hundred thirty-four thousand five hundred sixty-seven"},
      {"1,23", "one,twenty-three"},
      {"3.14", "three point one four"},
      {".5 of it", "zero point five of it"},
      {"-5 degrees", "minus five degrees"},
      {"It is (-3).", "It is (minus three)."},
      {"version 1.2.3", "version one point two point three"},
      {"in 1998.", "in nineteen ninety-eight."},
      {"agent 007", "agent zero zero seven"},
      {"999999999999999",
       "nine hundred ninety-nine trillion nine hundred ninety-nine billion nine hundred "
       "ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine"},
      {"12345678901234567",
       "one two three four five six seven eight nine zero one two three four five six seven"},
      {"٣ and ۴", "three and four"},
  });
}

}  // namespace
}  // namespace myxtts::text
