#include "speak/saved_facts.h"

#include "base/error.h"
#include "checkpoint/save_name.h"
#include "config/resolve.h"
#include "config/validate.h"

namespace xtts::speak {

SavedFacts saved_facts_of(const checkpoint::LoadedSave& save) {
  const std::string source = (save.folder / checkpoint::kConfigFile).string();
  SavedFacts saved{.facts = checkpoint::parse_save_facts(save.config_json, source),
                   .config = {},
                   .contract = {}};
  saved.config = config::parse_yaml(saved.facts.config_yaml, source).config;
  config::validate(saved.config);
  saved.contract = audio::mel_contract_of(saved.config);
  require(audio::contract_hash(saved.contract) == saved.facts.mel_contract_hash,
          "{}: the model was trained on mels of contract {}, its configuration makes {}; the save "
          "was changed: take another one",
          source,
          saved.facts.mel_contract_hash.substr(0, 12),
          audio::contract_hash(saved.contract).substr(0, 12));
  return saved;
}

void require_same_contract(const SavedFacts& vocoder,
                           const std::filesystem::path& folder,
                           const audio::MelContract& voice) {
  const std::string here = audio::contract_hash(vocoder.contract);
  const std::string there = audio::contract_hash(voice);
  require(here == there,
          "the vocoder {} was trained on mels of contract {}, the voice makes mels of contract {} "
          "({}); train a vocoder with the configuration of the voice, or leave it out with "
          "--vocoder griffin-lim",
          folder.string(),
          here.substr(0, 12),
          there.substr(0, 12),
          audio::differences_of(voice, vocoder.contract));
}

SavedFacts facts_of_mel_voice(const checkpoint::LoadedSave& save,
                              const audio::MelContract& contract) {
  SavedFacts saved = saved_facts_of(save);
  require(!is_vocoder(saved),
          "{} is a vocoder; --mels-from expects the run of a voice",
          save.folder.string());
  require(audio::contract_hash(saved.contract) == audio::contract_hash(contract),
          "{} was trained on other mels than this vocoder is ({}); give the audio settings of its "
          "config.yaml, or leave out --mels-from",
          save.folder.string(),
          audio::differences_of(saved.contract, contract));
  return saved;
}

bool is_vocoder(const SavedFacts& saved) {
  return saved.facts.kind == checkpoint::kVocoderKind;
}

}  // namespace xtts::speak
