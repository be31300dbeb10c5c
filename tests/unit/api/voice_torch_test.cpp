#include <cmath>
#include <filesystem>
#include <utility>

#include <gtest/gtest.h>
#include <myxtts/train.h>
#include <myxtts/voice.h>

#include "unit/api/hum_corpus.h"

namespace myxtts {
namespace {

// One trained voice for all tests.
const std::string& voice_folder() {
  static const HumCorpus hums;
  static const std::string folder = [] {
    const std::string run = hums.path("run");
    Training({.corpus = hums.corpus(),
              .run_folder = run,
              .max_steps = 2,
              .settings = HumCorpus::small_settings()})
        .run();
    return run;
  }();
  return folder;
}

Voice open_voice() {
  return Voice::open(voice_folder(), {.vocoder = "griffin-lim"});
}

TEST(Voice, SpeaksWithTheTimesOfItsWords) {
  Voice voice = open_voice();
  testing::internal::CaptureStderr();
  const Speech speech = voice.speak("la la. la");

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const double seconds = static_cast<double>(speech.samples.size()) / voice.sample_rate();
  ASSERT_EQ(speech.words.size(), 3U);
  double before = 0.05;  // silence at the start
  for (const Word& word : speech.words) {
    EXPECT_EQ(word.text, "la");
    EXPECT_GE(word.start_s, before - 1e-9);
    EXPECT_GT(word.end_s, word.start_s);
    before = word.end_s;
  }
  EXPECT_LE(before, seconds);
  EXPECT_TRUE(speech.warnings.empty());
}

TEST(Voice, AStreamHasTheWordsAndTheLengthOfTheSpeech) {
  Voice voice = open_voice();
  const Speech whole = voice.speak("la la. la");
  std::size_t num_samples = 0;
  const Speech stream = voice.stream("la la. la", {}, [&](std::span<const float> samples) {
    num_samples += samples.size();
    return true;
  });

  EXPECT_EQ(num_samples, whole.samples.size());
  ASSERT_EQ(stream.words.size(), whole.words.size());
  for (std::size_t i = 0; i < whole.words.size(); ++i)
    EXPECT_DOUBLE_EQ(stream.words[i].start_s, whole.words[i].start_s);
  EXPECT_TRUE(stream.samples.empty());
}

TEST(Voice, AStreamStopsWhenItsCallbackReturnsFalse) {
  Voice voice = open_voice();
  int num_blocks = 0;
  voice.stream("la. la. la.", {}, [&](std::span<const float>) {
    ++num_blocks;
    return false;
  });

  EXPECT_EQ(num_blocks, 1);
}

TEST(Voice, TakesTheVoiceOfAReference) {
  Voice voice = open_voice();
  const Speech first = voice.speak("la");
  std::vector<float> samples(22050);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = 0.3F * std::sin(0.05F * static_cast<float>(i));
  voice.set_reference(samples, 22050);
  const Speech cloned = voice.speak("la");
  voice.set_speaker(voice.speakers().front());

  EXPECT_NE(cloned.samples, first.samples);
  EXPECT_EQ(voice.speak("la").samples, first.samples);
}

TEST(Voice, MovesWithItsModel) {
  Voice voice = open_voice();
  const Speech before = voice.speak("la");
  const Voice moved_from = std::move(voice);
  Voice moved = open_voice();
  moved = std::move(const_cast<Voice&>(moved_from));

  EXPECT_EQ(moved.speak("la").samples, before.samples);
}

TEST(Voice, NamesWhatIsWrong) {
  EXPECT_THROW(Voice::open(voice_folder() + "/nothing"), UsageError);
  Voice voice = open_voice();
  EXPECT_THROW(voice.set_speaker("anna"), UsageError);
  EXPECT_THROW(voice.set_reference("nothing.wav"), UsageError);
  EXPECT_THROW(voice.set_reference(std::vector<float>(22050, 0.0F), 22050), UserError);
  EXPECT_THROW(voice.set_reference(std::vector<float>(22050, std::nanf("")), 22050), UsageError);
  EXPECT_THROW(voice.speak(""), UsageError);
  EXPECT_THROW(voice.speak("\xff"), UsageError);
  EXPECT_THROW(voice.speak("la", {.speed = 3.0}), UsageError);
  EXPECT_THROW(voice.speak("la", {.loudness_lufs = 0.0}), UsageError);
}

}  // namespace
}  // namespace myxtts
