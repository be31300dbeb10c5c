#include "audio/mel_spec.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/config.h"

namespace myxtts::audio {
namespace {

// One change per field. The size of the struct is asserted below, so that a new field is added
// here too.
std::vector<std::function<void(MelSpec&)>> changes() {
  return {
      [](MelSpec& c) { c.sample_rate = 24000; },
      [](MelSpec& c) { c.n_fft = 2048; },
      [](MelSpec& c) { c.win_length = 1000; },
      [](MelSpec& c) { c.hop_length = 300; },
      [](MelSpec& c) { c.n_mels = 100; },
      [](MelSpec& c) { c.mel_fmin = 1e-9; },
      [](MelSpec& c) { c.mel_fmax = 7999.999999; },
      [](MelSpec& c) { c.mel_floor = 1.0000001e-5; },
      [](MelSpec& c) { c.trim_silence = false; },
      [](MelSpec& c) { c.trim_top_db = 40.0000001; },
      [](MelSpec& c) { c.normalize_audio = false; },
      [](MelSpec& c) { c.enable_loudness_normalization = false; },
      [](MelSpec& c) { c.target_loudness_lufs = -23.0000001; },
  };
}

TEST(MelSpec, EveryFieldChangesTheFingerprint) {
  std::set<std::string> fingerprints = {mel_fingerprint({})};

  for (const auto& change : changes()) {
    MelSpec spec;
    change(spec);
    EXPECT_TRUE(fingerprints.insert(mel_fingerprint(spec)).second);
  }

  EXPECT_EQ(fingerprints.size(), 14U);
  EXPECT_EQ(sizeof(MelSpec), 80U) << "a field was added: add a line to changes()";
}

TEST(MelSpec, TheFingerprintIsTheSameOnEveryMachine) {
  EXPECT_EQ(mel_fingerprint({}),
            "7f121f676b9c7ebd0f19ebc5cfa1f1cc35a97a98bb98e8143849197f7cb22d57");
}

TEST(MelSpec, TheDefaultConfigurationGivesTheDefaultSpec) {
  EXPECT_EQ(mel_spec_of(config::Config{}), MelSpec{});
}

TEST(MelSpec, TakesEveryFieldFromTheConfiguration) {
  config::Config config;
  config.model.sample_rate = 16000;
  config.model.n_fft = 512;
  config.model.win_length = 400;
  config.model.hop_length = 160;
  config.model.n_mels = 64;
  config.model.mel_fmin = 20.0;
  config.model.mel_fmax = 7600.0;
  config.model.mel_floor = 1e-4;
  config.data.trim_silence = false;
  config.data.trim_top_db = 30.0;
  config.data.normalize_audio = false;
  config.data.enable_loudness_normalization = false;
  config.data.target_loudness_lufs = -20.0;

  const MelSpec expected{.sample_rate = 16000,
                         .n_fft = 512,
                         .win_length = 400,
                         .hop_length = 160,
                         .n_mels = 64,
                         .mel_fmin = 20.0,
                         .mel_fmax = 7600.0,
                         .mel_floor = 1e-4,
                         .trim_silence = false,
                         .trim_top_db = 30.0,
                         .normalize_audio = false,
                         .enable_loudness_normalization = false,
                         .target_loudness_lufs = -20.0};
  EXPECT_EQ(mel_spec_of(config), expected);
}

TEST(MelSpec, DifferencesNameBothValues) {
  MelSpec other;
  other.mel_fmax = 7600.0;
  other.trim_silence = false;

  EXPECT_EQ(differences_of(other, {}),
            "mel_fmax is 7600, not 8000; trim_silence is false, not true");
  EXPECT_EQ(differences_of(other, other), "");
}

TEST(MelSpec, NumFramesIsOneMoreThanTheWholeHops) {
  EXPECT_EQ(num_frames({}, 0), 1);
  EXPECT_EQ(num_frames({}, 255), 1);
  EXPECT_EQ(num_frames({}, 256), 2);
  EXPECT_EQ(num_frames({}, 22050), 87);
}

TEST(MelSpec, ValidateNamesEveryInvalidField) {
  MelSpec spec;
  spec.n_fft = 1000;
  spec.win_length = 2000;
  spec.hop_length = 0;
  spec.mel_fmin = 9000.0;

  try {
    validate(spec);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    for (const char* key :
         {"model.n_fft", "model.win_length", "model.hop_length", "model.mel_fmin"}) {
      EXPECT_NE(message.find(key), std::string::npos) << key << " in: " << message;
    }
  }
}

TEST(MelSpec, TheDefaultIsValid) {
  EXPECT_NO_THROW(validate({}));
}

}  // namespace
}  // namespace myxtts::audio
