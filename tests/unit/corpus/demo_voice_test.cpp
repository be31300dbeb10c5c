#include "corpus/demo_voice.h"

#include <gtest/gtest.h>

#include "audio/decode.h"
#include "base/error.h"

namespace myxtts::corpus {
namespace {

audio::AudioClip decode_wav(const std::string& wav) {
  audio::DecodeResult decoded = audio::decode(wav, 60.0);
  EXPECT_TRUE(decoded.ok()) << decoded.detail;
  return decoded.clip;
}

TEST(DemoVoice, UsesTheSampleRateOfTheProgram) {
  const audio::AudioClip english = decode_wav(synthesise_demo("en", "rms", "Good morning."));
  const audio::AudioClip persian =
      decode_wav(synthesise_demo("fa", "fa", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85."));

  EXPECT_EQ(english.sample_rate, 16000);
  EXPECT_GT(english.seconds(), 0.5);
  EXPECT_LT(english.seconds(), 3.0);
  EXPECT_EQ(persian.sample_rate, 22050);
  EXPECT_GT(persian.seconds(), 0.2);
  EXPECT_LT(persian.seconds(), 3.0);
}

TEST(DemoVoice, IsDeterministic) {
  EXPECT_EQ(synthesise_demo("en", "kal16", "Twice, please."),
            synthesise_demo("en", "kal16", "Twice, please."));
  EXPECT_EQ(synthesise_demo("fa", "fa-f2", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85."),
            synthesise_demo("fa", "fa-f2", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85."));
}

TEST(DemoVoice, VoicesDiffer) {
  EXPECT_NE(synthesise_demo("en", "slt", "Hello there."),
            synthesise_demo("en", "kal16", "Hello there."));
}

// As an option, the first text would list the voices; as a file, the second would be long.
TEST(DemoVoice, TextIsNeverAnOptionOrAFile) {
  EXPECT_GT(decode_wav(synthesise_demo("en", "kal16", "-lv")).seconds(), 0.2);
  EXPECT_LT(decode_wav(synthesise_demo("en", "kal16", "/etc/passwd")).seconds(), 4.0);
  EXPECT_LT(decode_wav(synthesise_demo("fa", "fa", "-f /etc/passwd")).seconds(), 5.0);
}

TEST(DemoVoice, SilenceIsAnError) {
  EXPECT_THROW(synthesise_demo("en", "kal16", " "), UserError);
}

TEST(DemoVoice, UnknownVoiceSuggestsTheNearest) {
  try {
    require_demo_voices("en", {"rms", "stl"});
    FAIL() << "stl is not a voice";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'slt'"), std::string::npos)
        << error.what();
  }
}

TEST(DemoVoice, RefusesVoicesOfOtherLanguages) {
  EXPECT_NO_THROW(require_demo_voices("en", demo_voices("en")));
  EXPECT_NO_THROW(require_demo_voices("fa", demo_voices("fa")));
  EXPECT_THROW(require_demo_voices("fa", {"rms"}), UsageError);
  EXPECT_THROW(require_demo_voices("en", {"rms", "rms"}), UsageError);
  EXPECT_THROW(require_demo_voices("en", {}), UsageError);
  EXPECT_THROW(demo_voices("de"), UsageError);
}

}  // namespace
}  // namespace myxtts::corpus
