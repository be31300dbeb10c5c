#include <gtest/gtest.h>

#include "base/error.h"
#include "small_vocoder_torch.h"
#include "speak/voice_metadata.h"
#include "support/temp_dir.h"

namespace xtts::speak {
namespace {

TEST(VoiceMetadata, AreWhatTheSaveSays) {
  const support::TempDir run;
  SmallVocoder small;
  small.config.model.mel_fmax = 7600.0;
  small.facts.config_yaml = config::write_yaml(small.config);
  small.facts.mel_spec_fingerprint = audio::mel_fingerprint(audio::mel_spec_of(small.config));
  small.write(run.path());

  const checkpoint::LoadedCheckpoint save = checkpoint::find_checkpoint(run.path());
  const VoiceMetadata saved = voice_metadata_of(save);

  EXPECT_TRUE(is_vocoder(saved));
  EXPECT_EQ(saved.facts.step, 21);
  EXPECT_EQ(saved.config.model.vocoder_layers, 2);
  EXPECT_EQ(saved.contract.mel_fmax, 7600.0);
}

TEST(VoiceMetadata, AContractThatTheConfigurationDoesNotMakeIsRefused) {
  const support::TempDir run;
  SmallVocoder small;
  small.facts.mel_spec_fingerprint[0] ^= 1;
  small.write(run.path());
  const checkpoint::LoadedCheckpoint save = checkpoint::find_checkpoint(run.path());

  EXPECT_THROW(voice_metadata_of(save), UserError);
}

}  // namespace
}  // namespace xtts::speak
