#include "speak/voice_metadata.h"

#include "base/error.h"
#include "checkpoint/checkpoint_name.h"
#include "config/resolve.h"
#include "config/validate.h"

namespace xtts::speak {

VoiceMetadata voice_metadata_of(const checkpoint::LoadedCheckpoint& save) {
  const std::string source = (save.folder / checkpoint::kConfigFile).string();
  VoiceMetadata saved{.facts = checkpoint::parse_checkpoint_metadata(save.config_json, source),
                      .config = {},
                      .contract = {}};
  saved.config = config::parse_yaml(saved.facts.config_yaml, source).config;
  config::validate(saved.config);
  saved.contract = audio::mel_spec_of(saved.config);
  require(audio::mel_fingerprint(saved.contract) == saved.facts.mel_spec_fingerprint,
          "{}: the model was trained on mels of contract {}, its configuration makes {}; the save "
          "was changed: take another one",
          source,
          saved.facts.mel_spec_fingerprint.substr(0, 12),
          audio::mel_fingerprint(saved.contract).substr(0, 12));
  return saved;
}

void require_same_mel_spec(const VoiceMetadata& vocoder,
                           const std::filesystem::path& folder,
                           const audio::MelSpec& voice) {
  const std::string here = audio::mel_fingerprint(vocoder.contract);
  const std::string there = audio::mel_fingerprint(voice);
  require(here == there,
          "the vocoder {} was trained on mels of contract {}, the voice makes mels of contract {} "
          "({}); train a vocoder with the configuration of the voice, or leave it out with "
          "--vocoder griffin-lim",
          folder.string(),
          here.substr(0, 12),
          there.substr(0, 12),
          audio::differences_of(voice, vocoder.contract));
}

VoiceMetadata facts_of_mel_voice(const checkpoint::LoadedCheckpoint& save,
                                 const audio::MelSpec& contract) {
  VoiceMetadata saved = voice_metadata_of(save);
  require(!is_vocoder(saved),
          "{} is a vocoder; --mels-from expects the run of a voice",
          save.folder.string());
  require(audio::mel_fingerprint(saved.contract) == audio::mel_fingerprint(contract),
          "{} was trained on other mels than this vocoder is ({}); give the audio settings of its "
          "config.yaml, or leave out --mels-from",
          save.folder.string(),
          audio::differences_of(saved.contract, contract));
  return saved;
}

bool is_vocoder(const VoiceMetadata& saved) {
  return saved.facts.kind == checkpoint::kVocoderKind;
}

}  // namespace xtts::speak
