#include "text/front_end.h"

#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/config.h"

namespace myxtts::text {
namespace {

TextSettings graphemes() {
  TextSettings settings;
  settings.use_phonemes = false;
  return settings;
}

TextSettings persian_phonemes() {
  TextSettings settings;
  settings.language = "fa";
  settings.text_cleaners = {"persian_cleaners"};
  return settings;
}

std::string crashing_word() {
  std::string word;
  for (int i = 0; i < 70; ++i)
    word += "s'";
  return word;
}

std::string joined_symbols(const std::vector<std::string>& symbols) {
  std::string text;
  for (const std::string& symbol : symbols)
    text += symbol;
  return text;
}

TEST(FrontEnd, RunsEveryStageAndKeepsPunctuation) {
  FrontEnd front_end{TextSettings{}};

  const TextStages stages = front_end.run("Dr. Smith, hello!");

  EXPECT_EQ(stages.raw, "Dr. Smith, hello!");
  EXPECT_EQ(stages.normalised, "doctor Smith, hello!");
  EXPECT_EQ(stages.phonemes, "dˈɑːktɚ smˈɪθ, həlˈoʊ!");
  EXPECT_EQ(joined_symbols(stages.symbols), stages.phonemes);
  EXPECT_EQ(stages.ids.size(), stages.symbols.size());
  EXPECT_EQ(front_end.symbols().decode(stages.ids), stages.phonemes);
  EXPECT_EQ(stages.fault, "");
}

TEST(FrontEnd, UsesLowerCaseLettersWithoutPhonemes) {
  FrontEnd front_end(graphemes());

  const TextStages stages = front_end.run("Café No. 5");

  EXPECT_EQ(stages.phonemes, "");
  EXPECT_EQ(joined_symbols(stages.symbols), "cafe number five");
}

TEST(FrontEnd, EncodesPersianAsPhonemesAndAsGraphemes) {
  FrontEnd phonemes(persian_phonemes());
  TextSettings letters = persian_phonemes();
  letters.use_phonemes = false;
  FrontEnd letter_front_end(letters);

  EXPECT_EQ(phonemes.run("سلام، ۵ كتاب").phonemes, "salˈɑm، pˈandʒ kˈetɑb");
  EXPECT_EQ(joined_symbols(letter_front_end.run("سلام، ۵ كتاب").symbols), "سلام، پنج کتاب");
}

TEST(FrontEnd, UnspeakableTextsGetAFault) {
  FrontEnd front_end(graphemes());
  const std::vector<std::string> bad = {
      "", "   ", "...", "😀", "\xff\xfe", std::string("a\0b", 3), std::string(4097, 'a')};

  for (const std::string& text : bad) {
    const TextStages stages = front_end.run(text);

    EXPECT_NE(stages.fault, "") << text;
    EXPECT_TRUE(stages.ids.empty()) << text;
  }
  EXPECT_EQ(front_end.run(std::string(4096, 'a')).fault, "");
}

TEST(FrontEnd, LimitCountsCharactersNotBytes) {
  FrontEnd front_end(graphemes());
  std::string text;
  for (std::size_t i = 0; i < kMaxTextCharacters; ++i)
    text += "é";

  EXPECT_EQ(front_end.run(text).fault, "");
  EXPECT_NE(front_end.run(text + "é").fault, "");
}

TEST(FrontEnd, ReportsDroppedCharacters) {
  FrontEnd front_end(graphemes());

  EXPECT_EQ(front_end.run("Hi 😀").dropped, std::vector<std::string>{"😀"});
}

TEST(FrontEnd, CrashingTextAffectsItsOwnUtteranceOnly) {
  TextSettings settings;
  settings.text_cleaners = {"no_cleaners"};
  FrontEnd front_end(settings);
  const std::vector<std::string> texts = {"one", crashing_word(), "three"};

  const std::vector<TextStages> all = front_end.run_all(texts, 1);

  EXPECT_EQ(all[0].phonemes, "wˈʌn");
  EXPECT_EQ(all[2].phonemes, "θɹˈiː");
}

TEST(FrontEnd, ParallelEqualsSerialEqualsOneByOne) {
  std::vector<std::string> texts(80);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i] = "Sentence number " + std::to_string(i * 37) + ", said at " +
               std::to_string(1 + i % 12) + ":30 pm; is it fine?";
  }
  texts[5] = "";
  FrontEnd serial{TextSettings{}};
  FrontEnd parallel{TextSettings{}};
  FrontEnd single{TextSettings{}};
  std::atomic<std::size_t> num_done = 0;

  const std::vector<TextStages> one = serial.run_all(texts, 0);
  const std::vector<TextStages> two =
      parallel.run_all(texts, 2, [&](std::size_t count) { num_done += count; });

  EXPECT_EQ(num_done, texts.size());
  ASSERT_EQ(one.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(one[i].ids, two[i].ids) << texts[i];
    EXPECT_EQ(one[i].fault, two[i].fault) << texts[i];
  }
  for (const std::size_t i : {0U, 5U, 79U})
    EXPECT_EQ(single.run(texts[i]).ids, one[i].ids);
}

TEST(FrontEnd, AddsBlanks) {
  TextSettings settings = graphemes();
  settings.add_blank = true;
  FrontEnd front_end(settings);

  EXPECT_EQ(joined_symbols(front_end.run("ab c").symbols), "a_b_ c_");
}

TEST(FrontEnd, PersianTextSuggestsThePersianLanguage) {
  FrontEnd front_end(graphemes());

  const std::string fault = "the text is in Persian or Arabic letters; add --language fa";
  EXPECT_EQ(front_end.run("سلام دنیا").fault, fault);
  EXPECT_EQ(front_end.run("سلام دنیا OK").fault, fault);
  EXPECT_EQ(front_end.run("Hello and سلام").fault, "");
}

TEST(FrontEnd, EncodesTheRestOfAForeignTextIfAllowed) {
  TextSettings settings = graphemes();
  settings.refuse_foreign = false;
  FrontEnd front_end(settings);

  const TextStages mixed = front_end.run("سلام دنیا OK");
  EXPECT_EQ(mixed.fault, "");
  EXPECT_EQ(mixed.dropped.size(), 7U);
  EXPECT_FALSE(mixed.ids.empty());
  EXPECT_NE(front_end.run("سلام دنیا").fault.find("this voice speaks English"), std::string::npos);
}

TEST(FrontEnd, RefusesUnknownCleanersAndVoices) {
  TextSettings cleaner = graphemes();
  cleaner.text_cleaners = {"english_cleanners"};
  TextSettings voice;
  voice.phoneme_language = "klingonish";

  EXPECT_THROW(FrontEnd{cleaner}, UsageError);
  EXPECT_THROW(FrontEnd{voice}, UsageError);
}

TEST(TextSettingsOf, DefaultCleanerFollowsTheLanguage) {
  config::Config config;
  EXPECT_EQ(text_settings_of(config).text_cleaners, std::vector<std::string>{"english_cleaners"});

  config.data.language = "fa";
  EXPECT_EQ(text_settings_of(config).text_cleaners, std::vector<std::string>{"persian_cleaners"});

  config.data.text_cleaners = {"no_cleaners"};
  EXPECT_EQ(text_settings_of(config).text_cleaners, std::vector<std::string>{"no_cleaners"});
}

}  // namespace
}  // namespace myxtts::text
