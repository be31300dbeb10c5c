#include "text/special_numbers_english.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(SpecialNumbersEnglish, ReadsPowers) {
  expect_english({
      {"10^6", "ten to the sixth"},
      {"10^-6", "ten to the minus six"},
      {"1e-5", "one times ten to the minus five"},
      {"1e−5", "one times ten to the minus five"},
      {"2.5E3", "two point five times ten to the third"},
      {"5 eggs", "five eggs"},
  });
}

TEST(SpecialNumbersEnglish, ReadsHeightsAndTheEmergencyNumber) {
  expect_english({
      {"6'2\" tall", "six foot two tall"},
      {"6′ 2″", "six foot two"},
      {"call 911.", "call nine one one."},
      {"the 911 calls", "the nine hundred eleven calls"},
  });
  EXPECT_FALSE(read_special_number(U"6'12", 0));
  EXPECT_FALSE(read_special_number(U"911", 0));
}

}  // namespace
}  // namespace myxtts::text
