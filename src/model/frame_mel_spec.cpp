#include "model/frame_mel_spec.h"

#include "config/config.h"

namespace xtts::model {

audio::MelSpec frame_mel_spec(const config::ModelConfig& config) {
  config::Config whole;
  whole.model = config;
  const audio::MelSpec contract = audio::mel_spec_of(whole);
  audio::validate(contract);
  return contract;
}

}  // namespace xtts::model
