#include "audio/prepare.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/loudness.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

MelSpec bare_spec() {
  MelSpec spec;
  spec.trim_silence = false;
  spec.normalize_audio = false;
  spec.enable_loudness_normalization = false;
  return spec;
}

AudioClip clip_of(std::vector<float> samples, int rate = 22050) {
  return {rate, 1, "test", std::move(samples)};
}

TEST(Prepare, ChangesNothingWithAllStepsOff) {
  const AudioClip clip = clip_of(noise(1000, 1, 1.5));

  EXPECT_EQ(prepare(clip, bare_spec()), clip.samples);
}

TEST(Prepare, ResamplesToTheRateOfTheSpec) {
  EXPECT_EQ(prepare(clip_of(sine(440.0, 48000, 0.5), 48000), bare_spec()).size(), 11025U);
}

TEST(Prepare, TrimsAndReportsHowMuch) {
  MelSpec spec = bare_spec();
  spec.trim_silence = true;
  std::vector<float> samples(22050, 0.0F);
  const std::vector<float> tone = sine(300.0, 22050, 0.3);
  samples.insert(samples.end(), tone.begin(), tone.end());

  const PreparedAudio prepared = prepare_with_report(clip_of(samples), spec);

  EXPECT_NEAR(prepared.trimmed_start_s, 0.93, 0.05);
  EXPECT_EQ(prepared.trimmed_end_s, 0.0);
  EXPECT_NEAR(
      static_cast<double>(prepared.samples.size()) / 22050 + prepared.trimmed_start_s, 1.3, 1e-6);
}

TEST(Prepare, NormalisesLoudAndQuietAudioToTheTarget) {
  MelSpec spec = bare_spec();
  spec.enable_loudness_normalization = true;
  for (const double amplitude : {0.003, 0.05, 0.9}) {
    const PreparedAudio prepared =
        prepare_with_report(clip_of(sine(997.0, 22050, 1.0, amplitude)), spec);

    EXPECT_NEAR(*measure_loudness(prepared.samples, 22050), -23.0, 0.05) << amplitude;
    EXPECT_NEAR(*prepared.loudness_lufs + prepared.gain_db, -23.0, 0.05) << amplitude;
  }
}

TEST(Prepare, KeepsAudioThatIsTooShortToMeasure) {
  MelSpec spec = bare_spec();
  spec.enable_loudness_normalization = true;
  const AudioClip short_clip = clip_of(sine(997.0, 22050, 0.1));

  const PreparedAudio prepared = prepare_with_report(short_clip, spec);

  EXPECT_FALSE(prepared.loudness_lufs);
  EXPECT_EQ(prepared.samples, short_clip.samples);
}

TEST(Prepare, ReportsTheLoudnessEvenWithoutAGain) {
  const AudioClip clip = clip_of(sine(997.0, 22050, 1.0, 0.1));

  const PreparedAudio prepared = prepare_with_report(clip, bare_spec());

  ASSERT_TRUE(prepared.loudness_lufs);
  EXPECT_NEAR(*prepared.loudness_lufs, -23.0, 0.1);
  EXPECT_EQ(prepared.samples, prepare(clip, bare_spec()));
}

TEST(Prepare, ScalesAPeakDownInsteadOfClippingIt) {
  MelSpec spec = bare_spec();
  spec.normalize_audio = true;
  std::vector<float> samples = {0.5F, -2.0F, 1.0F};

  const std::vector<float> prepared = prepare(clip_of(samples), spec);

  EXPECT_NEAR(prepared[0], 0.99 / 4, 1e-6);
  EXPECT_NEAR(prepared[1], -0.99, 1e-6);
  EXPECT_NEAR(prepared[2], 0.99 / 2, 1e-6);
}

TEST(Prepare, ThePeakLimitOverridesTheLoudnessTarget) {
  MelSpec spec = bare_spec();
  spec.enable_loudness_normalization = true;
  spec.normalize_audio = true;
  spec.target_loudness_lufs = 0.0;

  const std::vector<float> prepared = prepare(clip_of(sine(997.0, 22050, 1.0)), spec);

  EXPECT_NEAR(peak_of(prepared), 0.99, 1e-5);
}

TEST(Prepare, AcceptsSilenceAndNoSamples) {
  EXPECT_EQ(prepare(clip_of(std::vector<float>(500, 0.0F)), {}).size(), 500U);
  EXPECT_TRUE(prepare(clip_of({}), {}).empty());
}

}  // namespace
}  // namespace myxtts::audio
