#include "cli/vocode_verb.h"
#include "speak/trained_vocoder_torch.h"

namespace xtts::cli {

std::vector<float> vocode(const VocodeRequest& request) {
  const speak::TrainedVocoder vocoder = speak::TrainedVocoder::load(request.vocoder);
  vocoder.require_contract(request.contract);
  return vocoder.sound_of(request.mel);
}

}  // namespace xtts::cli
