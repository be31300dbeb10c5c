#include "text/persistent_espeak.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "text/phonemiser.h"
#include "unit/text/fake_espeak.h"

namespace myxtts::text {
namespace {

TEST(PersistentEspeak, EqualsTheReferenceImplementation) {
  const std::int64_t before = num_espeak_restarts();
  PersistentEspeak espeak("en-us");
  espeak.start();
  const std::vector<std::vector<std::string>> requests = {
      {"Hello world"},
      {"at ten thirty A M", "-q is no option", "a"},
      {"3.5"},
      {"read the book I read", "the quick brown fox jumps over the lazy dog"},
      {"Hello world"}};

  for (const std::vector<std::string>& pieces : requests) {
    const std::vector<Pronunciation> results = espeak.phonemise(pieces);
    ASSERT_EQ(results.size(), pieces.size()) << pieces.front();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_EQ(results[i].phonemes, phonemise_one("en-us", pieces[i]).phonemes) << pieces[i];
      EXPECT_EQ(results[i].fault, "");
    }
  }
  EXPECT_EQ(num_espeak_restarts(), before);
}

TEST(PersistentEspeak, PhonemisesPersian) {
  PersistentEspeak espeak("fa");
  const std::vector<std::string> pieces = {"سلام", "قیمت بالا رفت"};

  const std::vector<Pronunciation> results = espeak.phonemise(pieces);

  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].phonemes, "salˈɑm");
  EXPECT_EQ(results[1].phonemes, phonemise_one("fa", pieces[1]).phonemes);
}

TEST(PersistentEspeak, RecoversFromATextThatCrashesIt) {
  const bool crashes = !phonemise_one("en-us", crashing_piece()).fault.empty();
  PersistentEspeak espeak("en-us");
  const std::vector<std::string> good = {"still here"};
  const std::vector<std::string> bad = {"one", crashing_piece()};

  EXPECT_EQ(espeak.phonemise(bad).empty(), crashes);
  const std::vector<Pronunciation> results = espeak.phonemise(good);

  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].phonemes, phonemise_one("en-us", "still here").phonemes);
  Phonemiser phonemiser("en-us");
  const std::vector<Pronunciation> all = phonemiser.phonemise(bad);
  EXPECT_NE(all[0].phonemes, "");
  EXPECT_EQ(all[1].fault.empty(), !crashes);
}

TEST(PersistentEspeak, ExtraOutputLineDoesNotShiftLaterResults) {
  // Echoes its input, with an extra group after one word.
  const FakeEspeak fake(
      "while read -r line; do echo \"$line\"; [ \"$line\" = two ] && echo && echo more; done");
  PersistentEspeak espeak("en-us");
  const std::vector<std::string> bad = {"two"};
  for (const std::string word : {"one", "three"}) {
    const std::vector<std::string> good = {word};

    const std::vector<Pronunciation> accepted = espeak.phonemise(good);

    ASSERT_EQ(accepted.size(), 1U);
    EXPECT_EQ(accepted[0].phonemes, word);
    EXPECT_TRUE(espeak.phonemise(bad).empty());
  }
}

TEST(PersistentEspeak, RejectsEmptyOutput) {
  const FakeEspeak fake("while read -r line; do echo; done");
  PersistentEspeak espeak("en-us");
  const std::vector<std::string> pieces = {"one", "two"};

  EXPECT_TRUE(espeak.phonemise(pieces).empty());
}

TEST(PersistentEspeak, IsNoLongerUsedAfterRepeatedTimeouts) {
  const FakeEspeak fake("text=$(cat); echo \"$text\"");  // blocks until the end of its input
  const std::int64_t before = num_espeak_restarts();
  PersistentEspeak espeak("en-us");
  const std::vector<std::string> pieces = {"one"};
  EXPECT_TRUE(espeak.phonemise(pieces).empty());
  EXPECT_TRUE(espeak.phonemise(pieces).empty());
  const auto begin = std::chrono::steady_clock::now();

  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(espeak.phonemise(pieces).empty());

  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            std::chrono::seconds(60));       // 200 s with timeouts
  EXPECT_EQ(num_espeak_restarts(), before);  // not counted as a crash
}

TEST(PersistentEspeak, DeclinesTooManyPiecesAndNone) {
  PersistentEspeak espeak("en-us");
  const std::vector<std::string> many(33, "one");

  EXPECT_TRUE(espeak.phonemise(many).empty());
  EXPECT_TRUE(espeak.phonemise({}).empty());
}

TEST(PersistentEspeak, ConcurrentThreadsGetTheirOwnResults) {
  Phonemiser phonemiser("en-us");
  const std::vector<std::string> words = {"cat", "dog", "bird", "house", "tree", "river"};
  std::vector<std::string> results(words.size());

  base::parallel_for(words.size(), 3, [&](std::size_t i) {
    results[i] = phonemiser.phonemise({&words[i], 1}).at(0).phonemes;
  });

  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(results[i], phonemise_one("en-us", words[i]).phonemes) << words[i];
}

}  // namespace
}  // namespace myxtts::text
