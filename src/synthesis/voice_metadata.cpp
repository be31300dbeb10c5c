#include "synthesis/voice_metadata.h"

#include "base/error.h"
#include "checkpoint/checkpoint_name.h"
#include "config/resolve.h"
#include "config/validate.h"

namespace myxtts::synthesis {

VoiceMetadata voice_metadata_of(const checkpoint::LoadedCheckpoint& loaded) {
  const std::string source = (loaded.folder / checkpoint::kConfigFile).string();
  VoiceMetadata metadata{
      .checkpoint = checkpoint::parse_checkpoint_metadata(loaded.config_json, source),
      .config = {},
      .mel_spec = {}};
  metadata.config = config::parse_yaml(metadata.checkpoint.config_yaml, source).config;
  config::validate(metadata.config);
  metadata.mel_spec = audio::mel_spec_of(metadata.config);
  require(audio::mel_fingerprint(metadata.mel_spec) == metadata.checkpoint.mel_spec_fingerprint,
          "{}: the model was trained with mel spec {}, its configuration has mel spec {}; the "
          "checkpoint was modified, use another one",
          source,
          metadata.checkpoint.mel_spec_fingerprint.substr(0, 12),
          audio::mel_fingerprint(metadata.mel_spec).substr(0, 12));
  return metadata;
}

void require_same_mel_spec(const VoiceMetadata& vocoder,
                           const std::filesystem::path& folder,
                           const audio::MelSpec& voice) {
  const std::string vocoder_fingerprint = audio::mel_fingerprint(vocoder.mel_spec);
  const std::string voice_fingerprint = audio::mel_fingerprint(voice);
  require(vocoder_fingerprint == voice_fingerprint,
          "the vocoder {} was trained with mel spec {}, the voice with mel spec {} ({}); train a "
          "vocoder with the configuration of the voice, or use --vocoder griffin-lim",
          folder.string(),
          vocoder_fingerprint.substr(0, 12),
          voice_fingerprint.substr(0, 12),
          audio::differences_of(voice, vocoder.mel_spec));
}

VoiceMetadata metadata_of_mel_source(const checkpoint::LoadedCheckpoint& loaded,
                                     const audio::MelSpec& mel_spec) {
  VoiceMetadata metadata = voice_metadata_of(loaded);
  require(!is_vocoder(metadata),
          "{} is a vocoder; --mels-from expects the run of a voice",
          loaded.folder.string());
  require(
      audio::mel_fingerprint(metadata.mel_spec) == audio::mel_fingerprint(mel_spec),
      "{} was trained with another mel spec than this vocoder ({}); use the audio settings of its "
      "config.yaml, or omit --mels-from",
      loaded.folder.string(),
      audio::differences_of(metadata.mel_spec, mel_spec));
  return metadata;
}

bool is_vocoder(const VoiceMetadata& metadata) {
  return metadata.checkpoint.kind == checkpoint::kVocoderKind;
}

}  // namespace myxtts::synthesis
