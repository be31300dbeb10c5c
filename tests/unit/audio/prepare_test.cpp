#include "audio/prepare.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/loudness.h"
#include "unit/audio/sounds.h"

namespace xtts::audio {
namespace {

MelSpec plain_contract() {
  MelSpec contract;
  contract.trim_silence = false;
  contract.normalize_audio = false;
  contract.enable_loudness_normalization = false;
  return contract;
}

AudioClip sound_of(std::vector<float> samples, int rate = 22050) {
  return {rate, 1, "test", std::move(samples)};
}

TEST(Prepare, WithEverythingOffLeavesSamplesAtTheirRateAlone) {
  const AudioClip sound = sound_of(noise(1000, 1, 1.5));

  EXPECT_EQ(prepare(sound, plain_contract()), sound.samples);
}

TEST(Prepare, BringsAnyRateToTheContracts) {
  EXPECT_EQ(prepare(sound_of(sine(440.0, 48000, 0.5), 48000), plain_contract()).size(), 11025U);
}

TEST(Prepare, TrimsAndSaysHowMuch) {
  MelSpec contract = plain_contract();
  contract.trim_silence = true;
  std::vector<float> samples(22050, 0.0F);
  const std::vector<float> tone = sine(300.0, 22050, 0.3);
  samples.insert(samples.end(), tone.begin(), tone.end());

  const PreparedAudio prepared = prepare_with_report(sound_of(samples), contract);

  EXPECT_NEAR(prepared.trimmed_start_s, 0.93, 0.05);
  EXPECT_EQ(prepared.trimmed_end_s, 0.0);
  EXPECT_NEAR(
      static_cast<double>(prepared.samples.size()) / 22050 + prepared.trimmed_start_s, 1.3, 1e-6);
}

TEST(Prepare, BringsLoudAndQuietToTheTarget) {
  MelSpec contract = plain_contract();
  contract.enable_loudness_normalization = true;
  for (const double amplitude : {0.003, 0.05, 0.9}) {
    const PreparedAudio prepared =
        prepare_with_report(sound_of(sine(997.0, 22050, 1.0, amplitude)), contract);

    EXPECT_NEAR(*measure_loudness(prepared.samples, 22050), -23.0, 0.05) << amplitude;
    EXPECT_NEAR(*prepared.loudness_lufs + prepared.gain_db, -23.0, 0.05) << amplitude;
  }
}

TEST(Prepare, LeavesAloneWhatCannotBeMeasured) {
  MelSpec contract = plain_contract();
  contract.enable_loudness_normalization = true;
  const AudioClip instant = sound_of(sine(997.0, 22050, 0.1));

  const PreparedAudio prepared = prepare_with_report(instant, contract);

  EXPECT_FALSE(prepared.loudness_lufs);
  EXPECT_EQ(prepared.samples, instant.samples);
}

TEST(Prepare, TheReportKnowsTheLoudnessEvenWithoutAGain) {
  const AudioClip sound = sound_of(sine(997.0, 22050, 1.0, 0.1));

  const PreparedAudio prepared = prepare_with_report(sound, plain_contract());

  ASSERT_TRUE(prepared.loudness_lufs);
  EXPECT_NEAR(*prepared.loudness_lufs, -23.0, 0.1);
  EXPECT_EQ(prepared.samples, prepare(sound, plain_contract()));
}

TEST(Prepare, ScalesAPeakDownInsteadOfClippingIt) {
  MelSpec contract = plain_contract();
  contract.normalize_audio = true;
  std::vector<float> samples = {0.5F, -2.0F, 1.0F};

  const std::vector<float> prepared = prepare(sound_of(samples), contract);

  EXPECT_NEAR(prepared[0], 0.99 / 4, 1e-6);
  EXPECT_NEAR(prepared[1], -0.99, 1e-6);
  EXPECT_NEAR(prepared[2], 0.99 / 2, 1e-6);
}

TEST(Prepare, ThePeakLimitWinsOverTheLoudness) {
  MelSpec contract = plain_contract();
  contract.enable_loudness_normalization = true;
  contract.normalize_audio = true;
  contract.target_loudness_lufs = 0.0;

  const std::vector<float> prepared = prepare(sound_of(sine(997.0, 22050, 1.0)), contract);

  EXPECT_NEAR(peak_of(prepared), 0.99, 1e-5);
}

TEST(Prepare, TakesSilenceAndNothing) {
  EXPECT_EQ(prepare(sound_of(std::vector<float>(500, 0.0F)), {}).size(), 500U);
  EXPECT_TRUE(prepare(sound_of({}), {}).empty());
}

}  // namespace
}  // namespace xtts::audio
