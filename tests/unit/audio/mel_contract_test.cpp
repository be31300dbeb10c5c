#include "audio/mel_contract.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/config.h"

namespace xtts::audio {
namespace {

// One change of each field. The size of the structure is asserted below, so that a field that is
// added is added here too.
std::vector<std::function<void(MelContract&)>> changes() {
  return {
      [](MelContract& c) { c.sample_rate = 24000; },
      [](MelContract& c) { c.n_fft = 2048; },
      [](MelContract& c) { c.win_length = 1000; },
      [](MelContract& c) { c.hop_length = 300; },
      [](MelContract& c) { c.n_mels = 100; },
      [](MelContract& c) { c.mel_fmin = 1e-9; },
      [](MelContract& c) { c.mel_fmax = 7999.999999; },
      [](MelContract& c) { c.mel_floor = 1.0000001e-5; },
      [](MelContract& c) { c.trim_silence = false; },
      [](MelContract& c) { c.trim_top_db = 40.0000001; },
      [](MelContract& c) { c.normalize_audio = false; },
      [](MelContract& c) { c.enable_loudness_normalization = false; },
      [](MelContract& c) { c.target_loudness_lufs = -23.0000001; },
  };
}

TEST(MelContract, EveryFieldChangesTheHash) {
  std::set<std::string> hashes = {contract_hash({})};

  for (const auto& change : changes()) {
    MelContract contract;
    change(contract);
    EXPECT_TRUE(hashes.insert(contract_hash(contract)).second);
  }

  EXPECT_EQ(hashes.size(), 14U);
  EXPECT_EQ(sizeof(MelContract), 80U) << "a field was added: give it a line above";
}

TEST(MelContract, TheHashIsTheSameOnEveryMachine) {
  EXPECT_EQ(contract_hash({}), "7f121f676b9c7ebd0f19ebc5cfa1f1cc35a97a98bb98e8143849197f7cb22d57");
}

TEST(MelContract, TheDefaultConfigurationIsTheDefaultContract) {
  EXPECT_EQ(mel_contract_of(config::Config{}), MelContract{});
}

TEST(MelContract, TakesEveryFieldFromTheConfiguration) {
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

  const MelContract expected{.sample_rate = 16000,
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
  EXPECT_EQ(mel_contract_of(config), expected);
}

TEST(MelContract, DifferencesAreNamedWithBothValues) {
  MelContract other;
  other.mel_fmax = 7600.0;
  other.trim_silence = false;

  EXPECT_EQ(differences_of(other, {}),
            "mel_fmax is 7600, not 8000; trim_silence is false, not true");
  EXPECT_EQ(differences_of(other, other), "");
}

TEST(MelContract, CountsOneFrameMoreThanWholeHops) {
  EXPECT_EQ(num_frames({}, 0), 1);
  EXPECT_EQ(num_frames({}, 255), 1);
  EXPECT_EQ(num_frames({}, 256), 2);
  EXPECT_EQ(num_frames({}, 22050), 87);
}

TEST(MelContract, ARefusalNamesEveryFault) {
  MelContract contract;
  contract.n_fft = 1000;
  contract.win_length = 2000;
  contract.hop_length = 0;
  contract.mel_fmin = 9000.0;

  try {
    validate(contract);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    for (const char* key :
         {"model.n_fft", "model.win_length", "model.hop_length", "model.mel_fmin"}) {
      EXPECT_NE(message.find(key), std::string::npos) << key << " in: " << message;
    }
  }
}

TEST(MelContract, TheDefaultIsValid) {
  EXPECT_NO_THROW(validate({}));
}

}  // namespace
}  // namespace xtts::audio
