#include "base/error.h"
#include "cli/vocode_verb.h"
#include "speak/trained_vocoder_torch.h"

namespace xtts::cli {

std::vector<float> vocode(const VocodeRequest& request) {
  const speak::TrainedVocoder vocoder = speak::TrainedVocoder::load(request.vocoder);
  require(audio::contract_hash(vocoder.contract()) == audio::contract_hash(request.contract),
          "{} was trained on other mels than these; give the audio settings of its run "
          "(--config RUN/config.yaml), or leave out --vocoder",
          vocoder.folder().string());
  return vocoder.sound_of(request.mel);
}

}  // namespace xtts::cli
