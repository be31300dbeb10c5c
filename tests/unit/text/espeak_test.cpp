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
#include "unit/text/fake_espeak.h"

namespace myxtts::text {
namespace {

TEST(Espeak, ReturnsIpaWithStress) {
  EXPECT_EQ(phonemise_one("en-us", "Hello world").phonemes, "həlˈoʊ wˈɜːld");
  EXPECT_EQ(phonemise_one("fa", "سلام").phonemes, "salˈɑm");
}

TEST(Espeak, BatchEqualsSinglePieces) {
  const std::vector<std::string> pieces = {"Hello world",
                                           "at ten thirty A M",
                                           "-q is no option",
                                           "the quick brown fox jumps over the lazy dog",
                                           "a",
                                           "3.5",
                                           "read the book I read"};

  const std::vector<Pronunciation> batch = phonemise_many("en-us", pieces);

  ASSERT_EQ(batch.size(), pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(batch[i].phonemes, phonemise_one("en-us", pieces[i]).phonemes) << pieces[i];
    EXPECT_EQ(batch[i].fault, "") << pieces[i];
    EXPECT_NE(batch[i].phonemes, "") << pieces[i];
  }
}

TEST(Espeak, FastVoiceGivesThePhonemesOfTheDefaultVoice) {
  const std::string text = "Therefore let us keep our minds on two or three simple facts";
  base::ChildCommand default_voice;
  default_voice.argv = {"espeak-ng", "-q", "--ipa", "-v", "en-us"};
  default_voice.input = text + "\n";

  const base::ChildResult result = base::run_child(default_voice);

  EXPECT_EQ(phonemise_one("en-us", text).phonemes + "\n", result.output);
}

TEST(Espeak, CrashingTextFailsThatPieceOnly) {
  const std::vector<std::string> pieces = {"one", "two", crashing_piece(), "four", "five"};
  const std::int64_t before = num_espeak_restarts();
  const bool crashes = !phonemise_one("en-us", crashing_piece()).fault.empty();
  EXPECT_EQ(num_espeak_restarts() > before, crashes);

  const std::vector<Pronunciation> results = phonemise_many("en-us", pieces);

  ASSERT_EQ(results.size(), 5U);
  EXPECT_EQ(results[2].fault.empty(), !crashes);
  EXPECT_EQ(results[2].fault.find("signal") != std::string::npos, crashes);
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    EXPECT_EQ(results[i].phonemes, phonemise_one("en-us", pieces[i]).phonemes);
  }
}

TEST(Espeak, SurvivesManyCrashesInARow) {
  for (int i = 0; i < 20 * support::test_scale(); ++i)
    phonemise_one("en-us", crashing_piece());

  EXPECT_NE(phonemise_one("en-us", "still here").phonemes, "");
}

TEST(Espeak, RefusesAnUnknownVoiceAndSuggestsTheNearest) {
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

TEST(Espeak, MissingProgramMessageNamesThePackage) {
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

TEST(Espeak, FailureOfTheVoiceListIsNoUnknownVoice) {
  const FakeEspeak fake("exit 3");
  std::string message;

  try {
    require_espeak_voice("en-us");
  } catch (const UsageError&) {
    FAIL() << "expected UserError, not UsageError";
  } catch (const UserError& error) {
    message = error.what();
  }

  EXPECT_NE(message.find("--voices' failed (exit code 3"), std::string::npos) << message;
}

TEST(EspeakDeathTest, InterruptIsNoFaultOfTheText) {
  const FakeEspeak fake("kill -9 $$");
  EXPECT_NE(phonemise_one("en-us", "hello").fault, "");

  EXPECT_EXIT(
      {
        base::catch_interrupts();
        std::raise(SIGINT);
        try {
          phonemise_one("en-us", "hello");
        } catch (const base::Interrupted&) {
          std::exit(7);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(7),
      "");
}

TEST(Espeak, VoiceFollowsTheLanguage) {
  EXPECT_EQ(espeak_voice_of("en"), "en-us");
  EXPECT_EQ(espeak_voice_of("fa"), "fa");
  EXPECT_EQ(espeak_voice_of("en-gb"), "en-gb");
}

TEST(ParseEspeakOutput, SplitsAtEmptyLinesAndCleans) {
  const std::vector<std::string> groups =
      parse_espeak_output("(en)hello(fa) salam\n\nq1or\n ʔɑn\n\n\n");

  EXPECT_EQ(groups, (std::vector<std::string>{"hello salam", "qor ʔɑn", ""}));
}

}  // namespace
}  // namespace myxtts::text
