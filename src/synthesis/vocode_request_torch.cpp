#include "base/error.h"
#include "synthesis/trained_vocoder_torch.h"
#include "synthesis/vocode_request.h"

namespace myxtts::synthesis {
namespace {

// Compares mel specs without trimming, which changes the number of frames but not their values.
bool have_same_frames(audio::MelSpec one, const audio::MelSpec& other) {
  one.trim_silence = other.trim_silence;
  one.trim_top_db = other.trim_top_db;
  return audio::mel_fingerprint(one) == audio::mel_fingerprint(other);
}

}  // namespace

std::vector<float> vocode(const VocodeRequest& request) {
  const synthesis::TrainedVocoder vocoder = synthesis::TrainedVocoder::load(request.vocoder);
  require(have_same_frames(vocoder.mel_spec(), request.mel_spec),
          "{} was trained with another mel spec; use the audio settings of its run "
          "(--config RUN/config.yaml), or omit --vocoder",
          vocoder.folder().string());
  return vocoder.waveform_of(request.mel);
}

}  // namespace myxtts::synthesis
