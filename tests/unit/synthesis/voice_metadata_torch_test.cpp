#include <gtest/gtest.h>

#include "base/error.h"
#include "small_vocoder_torch.h"
#include "support/temp_dir.h"
#include "synthesis/voice_metadata.h"

namespace myxtts::synthesis {
namespace {

TEST(VoiceMetadata, ReadsTheMetadataOfTheCheckpoint) {
  const support::TempDir run;
  SmallVocoder small;
  small.config.model.mel_fmax = 7600.0;
  small.metadata.config_yaml = config::write_yaml(small.config);
  small.metadata.mel_spec_fingerprint = audio::mel_fingerprint(audio::mel_spec_of(small.config));
  small.write(run.path());

  const checkpoint::LoadedCheckpoint loaded = checkpoint::find_checkpoint(run.path());
  const VoiceMetadata metadata = voice_metadata_of(loaded);

  EXPECT_TRUE(is_vocoder(metadata));
  EXPECT_EQ(metadata.checkpoint.step, 21);
  EXPECT_EQ(metadata.config.model.vocoder_layers, 2);
  EXPECT_EQ(metadata.mel_spec.mel_fmax, 7600.0);
}

TEST(VoiceMetadata, RejectsAFingerprintThatDoesNotMatchTheConfiguration) {
  const support::TempDir run;
  SmallVocoder small;
  small.metadata.mel_spec_fingerprint[0] ^= 1;
  small.write(run.path());
  const checkpoint::LoadedCheckpoint loaded = checkpoint::find_checkpoint(run.path());

  EXPECT_THROW(voice_metadata_of(loaded), UserError);
}

}  // namespace
}  // namespace myxtts::synthesis
