#include "text/espeak.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/subprocess.h"
#include "support/scale.h"
#include "unit/text/other_espeaks.h"

namespace xtts::text {
namespace {

TEST(Espeak, PronouncesWithStressInIpa) {
  EXPECT_EQ(pronounce_one("en-us", "Hello world").phonemes, "həlˈoʊ wˈɜːld");
  EXPECT_EQ(pronounce_one("fa", "سلام").phonemes, "salˈɑm");
}

TEST(Espeak, ABatchIsTheSameAsOneByOne) {
  const std::vector<std::string> pieces = {"Hello world",
                                           "at ten thirty A M",
                                           "-q is no option",
                                           "the quick brown fox jumps over the lazy dog",
                                           "a",
                                           "3.5",
                                           "read the book I read"};

  const std::vector<Pronounced> batch = pronounce_many("en-us", pieces);

  ASSERT_EQ(batch.size(), pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(batch[i].phonemes, pronounce_one("en-us", pieces[i]).phonemes) << pieces[i];
    EXPECT_EQ(batch[i].fault, "") << pieces[i];
    EXPECT_NE(batch[i].phonemes, "") << pieces[i];
  }
}

TEST(Espeak, TheFastVoiceSaysThePhonemesOfTheUsualOne) {
  const std::string text = "Therefore let us keep our minds on two or three simple facts";
  base::ChildCommand usual;
  usual.argv = {"espeak-ng", "-q", "--ipa", "-v", "en-us"};
  usual.input = text + "\n";

  const base::ChildResult result = base::run_child(usual);

  EXPECT_EQ(pronounce_one("en-us", text).phonemes + "\n", result.output);
}

TEST(Espeak, ATextThatKillsItCostsThatPieceAlone) {
  const std::vector<std::string> pieces = {"one", "two", killing_piece(), "four", "five"};
  const std::int64_t before = num_espeak_restarts();
  const bool dies = !pronounce_one("en-us", killing_piece()).fault.empty();
  EXPECT_EQ(num_espeak_restarts() > before, dies);

  const std::vector<Pronounced> pronounced = pronounce_many("en-us", pieces);

  ASSERT_EQ(pronounced.size(), 5U);
  EXPECT_EQ(pronounced[2].fault.empty(), !dies);
  EXPECT_EQ(pronounced[2].fault.find("signal") != std::string::npos, dies);
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    EXPECT_EQ(pronounced[i].phonemes, pronounce_one("en-us", pieces[i]).phonemes);
  }
}

TEST(Espeak, ManyCrashesInARowAreSurvived) {
  for (int i = 0; i < 20 * support::test_scale(); ++i)
    pronounce_one("en-us", killing_piece());

  EXPECT_NE(pronounce_one("en-us", "still here").phonemes, "");
}

TEST(Espeak, RefusesAnUnknownVoiceAndNamesTheNearest) {
  std::string message;
  try {
    require_espeak_voice("en-uss");
  } catch (const UsageError& error) {
    message = error.what();
  }

  EXPECT_NE(message.find("'en-us'?"), std::string::npos) << message;
  for (const std::string voice : {"klingonish", "", "../../etc/passwd", "-h", "en us"}) {
    EXPECT_THROW(require_espeak_voice(voice), UsageError) << voice;
  }
  for (const std::string voice : {"fa", "en", "en-US", "en-us+f3"}) {
    EXPECT_NO_THROW(require_espeak_voice(voice)) << voice;
  }
}

TEST(Espeak, SaysWhatToInstallWhenItIsNotThere) {
  const char* const found = std::getenv("PATH");
  const std::string path = found == nullptr ? "" : found;
  ::setenv("PATH", "/nonexistent", 1);
  std::string message;
  try {
    require_espeak_voice("en-us");
  } catch (const UserError& error) {
    message = error.what();
  }
  ::setenv("PATH", path.c_str(), 1);

  EXPECT_NE(message.find("apt-get install espeak-ng"), std::string::npos) << message;
  EXPECT_NE(message.find("--set data.use_phonemes=false"), std::string::npos) << message;
}

TEST(Espeak, AListOfVoicesThatFailsIsNotAnUnknownVoice) {
  const FakeEspeak fake("exit 3");
  std::string message;

  try {
    require_espeak_voice("en-us");
  } catch (const UsageError&) {
    FAIL() << "the voice is not to blame";
  } catch (const UserError& error) {
    message = error.what();
  }

  EXPECT_NE(message.find("--voices' failed (exit code 3"), std::string::npos) << message;
}

TEST(EspeakDeathTest, AnInterruptIsNoFaultOfTheText) {
  const FakeEspeak fake("kill -9 $$");
  EXPECT_NE(pronounce_one("en-us", "hello").fault, "");

  EXPECT_EXIT(
      {
        base::catch_interrupts();
        std::raise(SIGINT);
        try {
          pronounce_one("en-us", "hello");
        } catch (const base::Interrupted&) {
          std::exit(7);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(7),
      "");
}

TEST(Espeak, TheVoiceFollowsTheLanguage) {
  EXPECT_EQ(espeak_voice_of("en"), "en-us");
  EXPECT_EQ(espeak_voice_of("fa"), "fa");
  EXPECT_EQ(espeak_voice_of("en-gb"), "en-gb");
}

TEST(ParseEspeakAnswer, CutsAtEmptyLinesAndCleans) {
  const std::vector<std::string> groups =
      parse_espeak_answer("(en)hello(fa) salam\n\nq1or\n ʔɑn\n\n\n");

  EXPECT_EQ(groups, (std::vector<std::string>{"hello salam", "qor ʔɑn", ""}));
}

}  // namespace
}  // namespace xtts::text
