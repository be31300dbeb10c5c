#include "text/cleaners.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::text {
namespace {

std::string cleaned(std::string_view text, std::vector<std::string> names) {
  DroppedCharacters dropped;
  return clean(text, names, dropped);
}

TEST(Cleaners, EachNameSelectsItsCleaner) {
  EXPECT_EQ(cleaned("Dr. No  has 5", {"english_cleaners"}), "doctor No has five");
  EXPECT_EQ(cleaned("Dr. No  has 5", {"basic_cleaners"}), "dr. no has 5");
  EXPECT_EQ(cleaned("Dr. No  has 5\n", {"no_cleaners"}), "Dr. No has 5");
  EXPECT_EQ(cleaned("۵ كتاب", {"persian_cleaners"}), "پنج کتاب");
}

TEST(Cleaners, AreAppliedInOrder) {
  EXPECT_EQ(cleaned("FBI 5", {"english_cleaners", "basic_cleaners"}), "f b i five");
}

TEST(Cleaners, RefuseAnUnknownNameAndSuggestTheNearest) {
  const std::vector<std::string> names = {"english_cleaner"};

  try {
    require_known_cleaners(names);
    FAIL() << "expected UsageError";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'english_cleaners'?"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace myxtts::text
