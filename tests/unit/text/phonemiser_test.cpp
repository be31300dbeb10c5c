#include "text/phonemiser.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::text {
namespace {

TEST(Phonemiser, KeepsTheOrderOfRepeatedAndCachedPieces) {
  Phonemiser phonemiser("en-us");
  const std::vector<std::string> first = {"cat", "dog", "cat"};
  const std::vector<std::string> second = {"dog", "bird", "cat"};

  const std::vector<Pronunciation> before = phonemiser.phonemise(first);
  const std::vector<Pronunciation> after = phonemiser.phonemise(second);

  EXPECT_EQ(before[0].phonemes, "kˈæt");
  EXPECT_EQ(before[2].phonemes, before[0].phonemes);
  EXPECT_EQ(after[0].phonemes, before[1].phonemes);
  EXPECT_EQ(after[1].phonemes, "bˈɜːd");
  EXPECT_EQ(after[2].phonemes, before[0].phonemes);
}

TEST(Phonemiser, RefusesAnUnknownVoice) {
  EXPECT_THROW(Phonemiser("klingonish"), UsageError);
}

}  // namespace
}  // namespace myxtts::text
