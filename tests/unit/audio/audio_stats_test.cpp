#include "audio/audio_stats.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/griffin_lim.h"
#include "audio/loudness.h"
#include "audio/mel.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

constexpr int kStatsRate = 22050;

std::string speech_fault_of(const std::vector<float>& samples) {
  return find_speech_fault(audio_stats(samples, kStatsRate));
}

TEST(AudioStats, EqualTheSingleMeasurements) {
  const std::vector<float> clip = golden_clip("phrase.wav");

  const AudioStats stats = audio_stats(clip, kStatsRate);

  ASSERT_TRUE(stats.loudness_lufs && stats.flatness_db);
  EXPECT_NEAR(*stats.loudness_lufs, measure_loudness(clip, kStatsRate).value_or(0.0), 1e-5);
  EXPECT_EQ(stats.peak_dbfs, to_dbfs(peak_of(clip)));
}

TEST(AudioStats, ARecordingAndItsGriffinLimResynthesisAreWithinTheLimits) {
  const std::vector<float> clip = golden_clip("phrase.wav");

  EXPECT_EQ(speech_fault_of(clip), "");
  EXPECT_EQ(
      speech_fault_of(griffin_lim(ReferenceMel({}).log_mel(clip), {}, kGriffinLimIterations, 1)),
      "");
}

TEST(AudioStats, NoiseHumAndClicksAreOutsideTheLimits) {
  EXPECT_NE(speech_fault_of(noise(std::size_t{2} * kStatsRate, 3)).find("noise: spectral"),
            std::string::npos);
  EXPECT_NE(speech_fault_of(sine(150.0, kStatsRate, 2.0)).find("hum: spectral"), std::string::npos);

  std::vector<float> clicking = golden_clip("phrase.wav");
  apply_gain(clicking, 0.05 / peak_of(clicking));
  clicking[clicking.size() / 2] = 0.99F;
  EXPECT_NE(speech_fault_of(clicking).find("dB above loudness"), std::string::npos)
      << speech_fault_of(clicking);
}

// Noise with the level contour of speech: a model that learned only the loudness of its symbols.
TEST(AudioStats, NoiseWithTheLevelOfSpeechIsOutsideTheLimits) {
  const std::vector<float> clip = golden_clip("phrase.wav");
  std::vector<float> hiss = noise(clip.size(), 11);
  for (std::size_t i = 0; i < hiss.size(); ++i) {
    const std::size_t begin = i / 256 * 256;
    const std::size_t count = std::min<std::size_t>(256, clip.size() - begin);
    hiss[i] *= 4.0F * peak_of(std::span(clip).subspan(begin, count));
  }

  EXPECT_NE(speech_fault_of(hiss).find("noise: spectral"), std::string::npos)
      << speech_fault_of(hiss);
}

// The mean frame of a recording, repeated: a model that has learned nothing else.
TEST(AudioStats, TheMeanMelOfSpeechIsOutsideTheLimits) {
  Mel mel = ReferenceMel({}).log_mel(golden_clip("phrase.wav"));
  const auto channels = static_cast<std::size_t>(mel.n_mels);
  std::vector<float> mean(channels);
  for (std::size_t i = 0; i < mel.values.size(); ++i)
    mean[i % channels] += mel.values[i] / static_cast<float>(mel.num_frames);
  for (std::size_t i = 0; i < mel.values.size(); ++i)
    mel.values[i] = mean[i % channels];

  const std::string fault = speech_fault_of(griffin_lim(mel, {}, kGriffinLimIterations, 1));

  EXPECT_NE(fault.find("noise"), std::string::npos) << fault;
}

// A repeated "ah" has a constant spectrum, like a hum or noise, but a varying level.
TEST(AudioStats, ARepeatedVowelIsWithinTheLimits) {
  std::vector<float> repeated = noise(std::size_t{2} * kStatsRate, 3, 0.0005);
  for (int harmonic = 1; harmonic <= 60; ++harmonic) {
    const std::vector<float> tone =
        sine(110.0 * harmonic, kStatsRate, 2.0, 0.2 / (harmonic * harmonic));
    for (std::size_t i = 0; i < repeated.size(); ++i)
      repeated[i] += tone[i];
  }
  const std::vector<float> beat = sine(4.0, kStatsRate, 2.0, 0.45);
  for (std::size_t i = 0; i < repeated.size(); ++i)
    repeated[i] *= 0.55F + beat[i];

  const AudioStats stats = audio_stats(repeated, kStatsRate);

  ASSERT_TRUE(stats.relative_flatness_db);
  EXPECT_GT(*stats.relative_flatness_db, kMaxRelativeFlatnessDb);
  EXPECT_EQ(find_speech_fault(stats), "");
  AudioStats steady = stats;
  steady.level_std_db = kMinLevelStdDb - 0.1;
  EXPECT_NE(find_speech_fault(steady).find("steady noise"), std::string::npos);
}

TEST(AudioStats, TooLittleActiveAudioGivesNoFlatness) {
  const AudioStats stats = audio_stats(noise(kStatsRate / 4, 3), kStatsRate);

  EXPECT_FALSE(stats.flatness_db);
  EXPECT_EQ(find_speech_fault(stats), "");
  const std::vector<float> second = noise(kStatsRate, 3);
  EXPECT_TRUE(audio_stats(second, kStatsRate).flatness_db);
  EXPECT_FALSE(audio_stats(second, kStatsRate, 2 * kMinMeasuredSeconds).flatness_db);
  EXPECT_EQ(speech_fault_of({}), "");
  EXPECT_EQ(speech_fault_of(std::vector<float>(std::size_t{3} * kStatsRate, 0.0F)), "");
  EXPECT_TRUE(std::isinf(audio_stats({}, kStatsRate).peak_dbfs));
}

}  // namespace
}  // namespace myxtts::audio
