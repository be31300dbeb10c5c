#include "model/frame_mel_spec.h"

#include "config/config.h"

namespace myxtts::model {

audio::MelSpec frame_mel_spec(const config::ModelConfig& config) {
  config::Config whole;
  whole.model = config;
  const audio::MelSpec spec = audio::mel_spec_of(whole);
  audio::validate(spec);
  return spec;
}

}  // namespace myxtts::model
