#include "text/resident_espeak.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "text/phonemiser.h"
#include "unit/text/other_espeaks.h"

namespace xtts::text {
namespace {

TEST(ResidentEspeak, SaysWhatItsPlainTwinSays) {
  const std::int64_t before = num_espeak_restarts();
  ResidentEspeak resident("en-us");
  resident.start();
  const std::vector<std::vector<std::string>> requests = {
      {"Hello world"},
      {"at ten thirty A M", "-q is no option", "a"},
      {"3.5"},
      {"read the book I read", "the quick brown fox jumps over the lazy dog"},
      {"Hello world"}};

  for (const std::vector<std::string>& pieces : requests) {
    const std::vector<Pronounced> said = resident.pronounce(pieces);
    ASSERT_EQ(said.size(), pieces.size()) << pieces.front();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_EQ(said[i].phonemes, pronounce_one("en-us", pieces[i]).phonemes) << pieces[i];
      EXPECT_EQ(said[i].fault, "");
    }
  }
  EXPECT_EQ(num_espeak_restarts(), before);
}

TEST(ResidentEspeak, SpeaksPersianToo) {
  ResidentEspeak resident("fa");
  const std::vector<std::string> pieces = {"سلام", "قیمت بالا رفت"};

  const std::vector<Pronounced> said = resident.pronounce(pieces);

  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0].phonemes, "salˈɑm");
  EXPECT_EQ(said[1].phonemes, pronounce_one("fa", pieces[1]).phonemes);
}

TEST(ResidentEspeak, ATextThatKillsItIsLeftToTheTwinAndTheNextIsSaid) {
  const bool dies = !pronounce_one("en-us", killing_piece()).fault.empty();
  ResidentEspeak resident("en-us");
  const std::vector<std::string> good = {"still here"};
  const std::vector<std::string> bad = {"one", killing_piece()};

  EXPECT_EQ(resident.pronounce(bad).empty(), dies);
  const std::vector<Pronounced> said = resident.pronounce(good);

  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].phonemes, pronounce_one("en-us", "still here").phonemes);
  Phonemiser phonemiser("en-us");
  const std::vector<Pronounced> all = phonemiser.pronounce(bad);
  EXPECT_NE(all[0].phonemes, "");
  EXPECT_EQ(all[1].fault.empty(), !dies);
}

TEST(ResidentEspeak, AnAnswerWithALineTooManyShiftsNoOther) {
  // Says what it is given, and of one word more than it should.
  const FakeEspeak fake(
      "while read -r line; do echo \"$line\"; [ \"$line\" = two ] && echo && echo more; done");
  ResidentEspeak resident("en-us");
  const std::vector<std::string> bad = {"two"};
  for (const std::string word : {"one", "three"}) {
    const std::vector<std::string> good = {word};

    const std::vector<Pronounced> believed = resident.pronounce(good);

    ASSERT_EQ(believed.size(), 1U);
    EXPECT_EQ(believed[0].phonemes, word);
    EXPECT_TRUE(resident.pronounce(bad).empty());
  }
}

TEST(ResidentEspeak, ASilentAnswerIsNotBelieved) {
  const FakeEspeak fake("while read -r line; do echo; done");
  ResidentEspeak resident("en-us");
  const std::vector<std::string> pieces = {"one", "two"};

  EXPECT_TRUE(resident.pronounce(pieces).empty());
}

TEST(ResidentEspeak, OneThatNeverAnswersIsNotAskedForLong) {
  const FakeEspeak fake("text=$(cat); echo \"$text\"");  // waits for the end of its input
  const std::int64_t before = num_espeak_restarts();
  ResidentEspeak resident("en-us");
  const std::vector<std::string> pieces = {"one"};
  EXPECT_TRUE(resident.pronounce(pieces).empty());
  EXPECT_TRUE(resident.pronounce(pieces).empty());
  const auto begin = std::chrono::steady_clock::now();

  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(resident.pronounce(pieces).empty());

  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));  // 200 if it was
  EXPECT_EQ(num_espeak_restarts(), before);  // which is no fault of a text
}

TEST(ResidentEspeak, ManyPiecesAndNoneAreNotItsBusiness) {
  ResidentEspeak resident("en-us");
  const std::vector<std::string> many(33, "one");

  EXPECT_TRUE(resident.pronounce(many).empty());
  EXPECT_TRUE(resident.pronounce({}).empty());
}

TEST(ResidentEspeak, ThreadsAtOnceEachGetTheirOwnWords) {
  Phonemiser phonemiser("en-us");
  const std::vector<std::string> words = {"cat", "dog", "bird", "house", "tree", "river"};
  std::vector<std::string> said(words.size());

  base::parallel_for(words.size(), 3, [&](std::size_t i) {
    said[i] = phonemiser.pronounce({&words[i], 1}).at(0).phonemes;
  });

  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(said[i], pronounce_one("en-us", words[i]).phonemes) << words[i];
}

}  // namespace
}  // namespace xtts::text
