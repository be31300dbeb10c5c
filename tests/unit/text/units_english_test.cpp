#include "text/units_english.h"

#include <gtest/gtest.h>

namespace myxtts::text {
namespace {

std::string unit_at_start(std::u32string_view text, bool singular = false) {
  const auto unit = read_unit(text, 0, singular);
  return unit ? unit->words : "";
}

TEST(UnitsEnglish, MatchesTheLongestSpelling) {
  EXPECT_EQ(unit_at_start(U" km/h"), "kilometers per hour");
  EXPECT_EQ(unit_at_start(U"km"), "kilometers");
  EXPECT_EQ(unit_at_start(U"kWh"), "kilowatt hours");
  EXPECT_EQ(unit_at_start(U"\u00b0C"), "degrees Celsius");
  EXPECT_EQ(unit_at_start(U"\u03bcm"), "micrometers");
}

TEST(UnitsEnglish, AgreesWithSingularAndPlural) {
  EXPECT_EQ(unit_at_start(U"kg", true), "kilogram");
  EXPECT_EQ(unit_at_start(U"ft", true), "foot");
}

TEST(UnitsEnglish, IsCaseSensitiveAndMatchesNoEnglishWord) {
  EXPECT_EQ(unit_at_start(U"Mb"), "");
  EXPECT_EQ(unit_at_start(U" in the box"), "");
  EXPECT_EQ(unit_at_start(U" men"), "");
  EXPECT_EQ(unit_at_start(U""), "");
}

TEST(UnitsEnglish, KeepsThePointThatEndsASentence) {
  EXPECT_EQ(read_unit(U" ft. tall", 0, false)->length, 4U);
  EXPECT_EQ(read_unit(U" ft.", 0, false)->length, 3U);
}

}  // namespace
}  // namespace myxtts::text
