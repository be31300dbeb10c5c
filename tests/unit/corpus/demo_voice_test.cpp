#include "corpus/demo_voice.h"

#include <gtest/gtest.h>

#include "audio/decode.h"
#include "base/error.h"

namespace xtts::corpus {
namespace {

audio::AudioClip heard(const std::string& wav) {
  audio::DecodeResult decoded = audio::decode(wav, 60.0);
  EXPECT_TRUE(decoded.ok()) << decoded.detail;
  return decoded.sound;
}

TEST(DemoVoice, SpeaksAtItsOwnRate) {
  const audio::AudioClip english = heard(speak_demo("en", "rms", "Good morning."));
  const audio::AudioClip persian =
      heard(speak_demo("fa", "fa", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85."));

  EXPECT_EQ(english.sample_rate, 16000);
  EXPECT_GT(english.seconds(), 0.5);
  EXPECT_LT(english.seconds(), 3.0);
  EXPECT_EQ(persian.sample_rate, 22050);
  EXPECT_GT(persian.seconds(), 0.2);
  EXPECT_LT(persian.seconds(), 3.0);
}

TEST(DemoVoice, SaysTheSameBytesTwice) {
  EXPECT_EQ(speak_demo("en", "kal16", "Twice, please."),
            speak_demo("en", "kal16", "Twice, please."));
  EXPECT_EQ(speak_demo("fa", "fa-f2", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85."),
            speak_demo("fa", "fa-f2", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85."));
}

TEST(DemoVoice, VoicesDiffer) {
  EXPECT_NE(speak_demo("en", "slt", "Hello there."), speak_demo("en", "kal16", "Hello there."));
}

// Read as an option or as a file, the first would list the voices and the second would be long.
TEST(DemoVoice, NeverTakesTextForAnOptionOrAFile) {
  EXPECT_GT(heard(speak_demo("en", "kal16", "-lv")).seconds(), 0.2);
  EXPECT_LT(heard(speak_demo("en", "kal16", "/etc/passwd")).seconds(), 4.0);
  EXPECT_LT(heard(speak_demo("fa", "fa", "-f /etc/passwd")).seconds(), 5.0);
}

TEST(DemoVoice, SilenceIsAnError) {
  EXPECT_THROW(speak_demo("en", "kal16", " "), UserError);
}

TEST(DemoVoice, AnUnknownVoiceIsAnsweredWithTheNearest) {
  try {
    require_demo_voices("en", {"rms", "stl"});
    FAIL() << "stl is no voice";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'slt'"), std::string::npos)
        << error.what();
  }
}

TEST(DemoVoice, RefusesWhatALanguageDoesNotHave) {
  EXPECT_NO_THROW(require_demo_voices("en", demo_voices("en")));
  EXPECT_NO_THROW(require_demo_voices("fa", demo_voices("fa")));
  EXPECT_THROW(require_demo_voices("fa", {"rms"}), UsageError);
  EXPECT_THROW(require_demo_voices("en", {"rms", "rms"}), UsageError);
  EXPECT_THROW(require_demo_voices("en", {}), UsageError);
  EXPECT_THROW(demo_voices("de"), UsageError);
}

}  // namespace
}  // namespace xtts::corpus
