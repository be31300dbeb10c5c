#include "base/error.h"
#include "cli/vocode_verb.h"
#include "speak/trained_vocoder_torch.h"

namespace xtts::cli {
namespace {

// Where a sound is cut decides which frames there are, not what one of them means.
bool are_alike(audio::MelSpec one, const audio::MelSpec& other) {
  one.trim_silence = other.trim_silence;
  one.trim_top_db = other.trim_top_db;
  return audio::mel_fingerprint(one) == audio::mel_fingerprint(other);
}

}  // namespace

std::vector<float> vocode(const VocodeRequest& request) {
  const speak::TrainedVocoder vocoder = speak::TrainedVocoder::load(request.vocoder);
  require(are_alike(vocoder.contract(), request.contract),
          "{} was trained on other mels than these; give the audio settings of its run "
          "(--config RUN/config.yaml), or leave out --vocoder",
          vocoder.folder().string());
  return vocoder.sound_of(request.mel);
}

}  // namespace xtts::cli
