#include <gtest/gtest.h>

#include "base/error.h"
#include "small_vocoder_torch.h"
#include "speak/saved_facts.h"
#include "support/temp_dir.h"

namespace xtts::speak {
namespace {

TEST(SavedFacts, AreWhatTheSaveSays) {
  const support::TempDir run;
  SmallVocoder small;
  small.config.model.mel_fmax = 7600.0;
  small.facts.config_yaml = config::write_yaml(small.config);
  small.facts.mel_contract_hash = audio::contract_hash(audio::mel_contract_of(small.config));
  small.write(run.path());

  const checkpoint::LoadedSave save = checkpoint::find_save(run.path());
  const SavedFacts saved = saved_facts_of(save);

  EXPECT_TRUE(is_vocoder(saved));
  EXPECT_EQ(saved.facts.step, 21);
  EXPECT_EQ(saved.config.model.vocoder_layers, 2);
  EXPECT_EQ(saved.contract.mel_fmax, 7600.0);
}

TEST(SavedFacts, AContractThatTheConfigurationDoesNotMakeIsRefused) {
  const support::TempDir run;
  SmallVocoder small;
  small.facts.mel_contract_hash[0] ^= 1;
  small.write(run.path());
  const checkpoint::LoadedSave save = checkpoint::find_save(run.path());

  EXPECT_THROW(saved_facts_of(save), UserError);
}

}  // namespace
}  // namespace xtts::speak
