#include "corpus/demo_sentences.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/utf8.h"
#include "support/scale.h"

namespace myxtts::corpus {
namespace {

constexpr std::uint64_t kSeed = 20;

std::vector<std::string> draw(std::string_view language, std::size_t count) {
  return make_demo_sentences(language, count, kDemoWords, kSeed);
}

TEST(DemoSentences, ThousandsOfSentencesAreDifferent) {
  const std::size_t count = 2000U * static_cast<std::size_t>(support::test_scale());
  for (const char* language : {"en", "fa"}) {
    const std::vector<std::string> sentences = draw(language, count);

    const std::set<std::string> different(sentences.begin(), sentences.end());
    EXPECT_EQ(different.size(), count) << language;
  }
}

TEST(DemoSentences, CoverEveryLengthFromTwoToTwentyFive) {
  for (const char* language : {"en", "fa"}) {
    std::map<int, int> num_of_length;
    for (const std::string& sentence : draw(language, 600))
      ++num_of_length[count_words(sentence)];

    EXPECT_EQ(num_of_length.begin()->first, 2) << language;
    EXPECT_EQ(num_of_length.rbegin()->first, 25) << language;
    EXPECT_EQ(num_of_length.size(), 24U) << language;
    for (const auto& [length, count] : num_of_length)
      EXPECT_GE(count, 4) << length << " words";
  }
}

TEST(DemoSentences, HaveSentenceCaseAndPunctuation) {
  for (const std::string& sentence : draw("en", 1000)) {
    EXPECT_TRUE(std::string_view(".?!").find(sentence.back()) != std::string_view::npos)
        << sentence;
    EXPECT_FALSE(sentence.front() >= 'a' && sentence.front() <= 'z') << sentence;
    EXPECT_EQ(sentence.find_first_of("|{}[]/;\n\"_"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("  "), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(" ,"), std::string::npos) << sentence;
    EXPECT_TRUE(std::ranges::all_of(sentence, [](char c) { return c >= ' ' && c < 127; }));
  }
}

TEST(DemoSentences, IncludeQuestionsAndNumbers) {
  const std::vector<std::string> sentences = draw("en", 600);

  const auto with = [&](std::string_view characters) {
    return std::ranges::count_if(sentences, [&](const std::string& sentence) {
      return sentence.find_first_of(characters) != std::string::npos;
    });
  };
  EXPECT_GT(with("?"), 60);
  EXPECT_LT(with("?"), 200);
  EXPECT_GT(with("!"), 10);
  EXPECT_GT(with("0123456789"), 15);
  EXPECT_LT(with("0123456789"), 100);
  EXPECT_GT(with(","), 150);
}

TEST(DemoSentences, HaveEveryLetterOfTheAlphabet) {
  std::string all;
  for (const std::string& sentence : draw("en", 600))
    all += sentence;

  for (char letter = 'a'; letter <= 'z'; ++letter) {
    EXPECT_GT(std::ranges::count(all, letter), 10) << letter;
  }
}

TEST(DemoSentences, PersianSentencesUsePersianLetters) {
  for (const std::string& sentence : draw("fa", 1000)) {
    for (const char32_t c : base::decode_utf8(sentence)) {
      const bool letter = c >= 0x0600 && c <= 0x06FF;
      const bool mark = c == U' ' || c == U'.' || c == U'!' || c == 0x200C;
      EXPECT_TRUE(letter || mark) << sentence;
      EXPECT_NE(c, 0x064A) << "Arabic yeh in " << sentence;
      EXPECT_NE(c, 0x0643) << "Arabic kaf in " << sentence;
    }
  }
}

TEST(DemoSentences, LongerListStartsWithTheShorterOne) {
  const std::vector<std::string> few = draw("en", 50);
  std::vector<std::string> many = draw("en", 200);

  many.resize(50);
  EXPECT_EQ(few, many);
}

TEST(DemoSentences, OtherSeedGivesOtherSentences) {
  const std::vector<std::string> first = draw("en", 100);
  const std::vector<std::string> other = make_demo_sentences("en", 100, kDemoWords, kSeed + 1);

  std::size_t num_same = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    num_same += first[i] == other[i] ? 1U : 0U;
  EXPECT_LT(num_same, 5U);
}

TEST(DemoSentences, StayInsideTheWordRange) {
  for (const std::string& sentence : make_demo_sentences("en", 300, {4, 6}, kSeed)) {
    EXPECT_GE(count_words(sentence), 4) << sentence;
    EXPECT_LE(count_words(sentence), 6) << sentence;
  }
}

TEST(DemoSentences, ExhaustedRangeIsAnError) {
  try {
    make_demo_sentences("en", 20000, {2, 2}, kSeed);
    FAIL() << "there are fewer sentences of two words";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("widen --words"), std::string::npos) << error.what();
  }
}

TEST(DemoSentences, RefuseUnknownLanguagesAndRanges) {
  EXPECT_THROW(make_demo_sentences("de", 10, kDemoWords, kSeed), UsageError);
  EXPECT_THROW(make_demo_sentences("en", 10, {1, 5}, kSeed), UsageError);
  EXPECT_THROW(make_demo_sentences("en", 10, {5, 26}, kSeed), UsageError);
}

TEST(WordRange, IsParsedFromText) {
  EXPECT_EQ(parse_word_range("3-12").min, 3);
  EXPECT_EQ(parse_word_range("3-12").max, 12);
  EXPECT_EQ(parse_word_range("9").min, 9);
  EXPECT_EQ(parse_word_range("9").max, 9);
}

TEST(WordRange, RefusesInvalidText) {
  for (const char* text :
       {"", "-", "3-", "-3", "0-5", "a-b", "3-12x", "3--5", "9-3", "99999999999-1", "2 - 5"}) {
    EXPECT_THROW(parse_word_range(text), UsageError) << text;
  }
}

TEST(WordRange, CountsWords) {
  EXPECT_EQ(count_words(""), 0);
  EXPECT_EQ(count_words("  one   two "), 2);
}

}  // namespace
}  // namespace myxtts::corpus
