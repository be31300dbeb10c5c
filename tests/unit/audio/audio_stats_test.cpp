#include "audio/audio_stats.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/griffin_lim.h"
#include "audio/loudness.h"
#include "audio/mel.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/sounds.h"

namespace xtts::audio {
namespace {

constexpr int kFactsRate = 22050;

std::string judged(const std::vector<float>& samples) {
  return unlike_recordings(audio_stats(samples, kFactsRate));
}

TEST(AudioStats, AreWhatTheMetersSay) {
  const std::vector<float> clip = golden_clip("phrase.wav");

  const AudioStats facts = audio_stats(clip, kFactsRate);

  ASSERT_TRUE(facts.loudness_lufs && facts.flatness_db);
  EXPECT_NEAR(*facts.loudness_lufs, measure_loudness(clip, kFactsRate).value_or(0.0), 1e-5);
  EXPECT_EQ(facts.peak_dbfs, to_dbfs(peak_of(clip)));
}

TEST(AudioStats, OfARecordingAndOfItsMelAreThoseOfRecordings) {
  const std::vector<float> clip = golden_clip("phrase.wav");

  EXPECT_EQ(judged(clip), "");
  EXPECT_EQ(judged(griffin_lim(ReferenceMel({}).log_mel(clip), {}, kGriffinLimIterations, 1)), "");
}

TEST(AudioStats, OfNoiseHumAndClicksAreNot) {
  EXPECT_NE(judged(noise(std::size_t{2} * kFactsRate, 3)).find("it is noise"), std::string::npos);
  EXPECT_NE(judged(sine(150.0, kFactsRate, 2.0)).find("a hum"), std::string::npos);

  std::vector<float> clicking = golden_clip("phrase.wav");
  apply_gain(clicking, 0.05 / peak_of(clicking));
  clicking[clicking.size() / 2] = 0.99F;
  EXPECT_NE(judged(clicking).find("above its loudness"), std::string::npos) << judged(clicking);
}

// Speech in which every frame has lost its phases and its detail: a model that learned only how
// loud its symbols are.
TEST(AudioStats, OfNoiseThatRisesAndFallsLikeSpeechAreNot) {
  const std::vector<float> clip = golden_clip("phrase.wav");
  std::vector<float> hiss = noise(clip.size(), 11);
  for (std::size_t i = 0; i < hiss.size(); ++i) {
    const std::size_t begin = i / 256 * 256;
    const std::size_t count = std::min<std::size_t>(256, clip.size() - begin);
    hiss[i] *= 4.0F * peak_of(std::span(clip).subspan(begin, count));
  }

  EXPECT_NE(judged(hiss).find("it is noise"), std::string::npos) << judged(hiss);
}

// The mean frame of a recording, again and again: a model that has learned nothing else.
TEST(AudioStats, OfTheMeanMelOfSpeechAreNot) {
  Mel mel = ReferenceMel({}).log_mel(golden_clip("phrase.wav"));
  const auto channels = static_cast<std::size_t>(mel.n_mels);
  std::vector<float> mean(channels);
  for (std::size_t i = 0; i < mel.values.size(); ++i)
    mean[i % channels] += mel.values[i] / static_cast<float>(mel.num_frames);
  for (std::size_t i = 0; i < mel.values.size(); ++i)
    mel.values[i] = mean[i % channels];

  const std::string words = judged(griffin_lim(mel, {}, kGriffinLimIterations, 1));

  EXPECT_NE(words.find("noise"), std::string::npos) << words;
}

// "Ah", again and again: its spectrum is always its own mean, as that of a hum or a noise, but its
// level moves.
TEST(AudioStats, OfOneVowelAgainAndAgainAreThoseOfRecordings) {
  std::vector<float> again = noise(std::size_t{2} * kFactsRate, 3, 0.0005);
  for (int harmonic = 1; harmonic <= 60; ++harmonic) {
    const std::vector<float> tone =
        sine(110.0 * harmonic, kFactsRate, 2.0, 0.2 / (harmonic * harmonic));
    for (std::size_t i = 0; i < again.size(); ++i)
      again[i] += tone[i];
  }
  const std::vector<float> beat = sine(4.0, kFactsRate, 2.0, 0.45);
  for (std::size_t i = 0; i < again.size(); ++i)
    again[i] *= 0.55F + beat[i];

  const AudioStats facts = audio_stats(again, kFactsRate);

  ASSERT_TRUE(facts.relative_flatness_db);
  EXPECT_GT(*facts.relative_flatness_db, kMostRelativeFlatnessDb);
  EXPECT_EQ(unlike_recordings(facts), "");
  AudioStats steady = facts;
  steady.level_spread_db = kLeastLevelSpreadDb - 0.1;
  EXPECT_NE(unlike_recordings(steady).find("one steady noise"), std::string::npos);
}

TEST(AudioStats, OfTooLittleSoundAreNotJudged) {
  const AudioStats facts = audio_stats(noise(kFactsRate / 4, 3), kFactsRate);

  EXPECT_FALSE(facts.flatness_db);
  EXPECT_EQ(unlike_recordings(facts), "");
  const std::vector<float> second = noise(kFactsRate, 3);
  EXPECT_TRUE(audio_stats(second, kFactsRate).flatness_db);
  EXPECT_FALSE(audio_stats(second, kFactsRate, 2 * kJudgedSeconds).flatness_db);
  EXPECT_EQ(judged({}), "");
  EXPECT_EQ(judged(std::vector<float>(std::size_t{3} * kFactsRate, 0.0F)), "");
  EXPECT_TRUE(std::isinf(audio_stats({}, kFactsRate).peak_dbfs));
}

}  // namespace
}  // namespace xtts::audio
