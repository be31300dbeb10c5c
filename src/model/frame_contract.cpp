#include "model/frame_contract.h"

#include "config/config.h"

namespace xtts::model {

audio::MelContract frame_contract(const config::ModelConfig& config) {
  config::Config whole;
  whole.model = config;
  const audio::MelContract contract = audio::mel_contract_of(whole);
  audio::validate(contract);
  return contract;
}

}  // namespace xtts::model
