#pragma once

#include <torch/types.h>

#include "audio/mel_spec.h"

namespace xtts::model {

// What a log-mel says of the logarithm of each bin's magnitude: straight lines from channel to
// channel, level ones below the first and above the last. C channels, F bins.
class MelEnvelope {
 public:
  // Throws UsageError for a contract with channels that cover no bin.
  explicit MelEnvelope(const audio::MelSpec& contract);

  // [..., C] float32 natural logarithm -> [..., F], on the device of the mel.
  torch::Tensor operator()(const torch::Tensor& mel) const;

 private:
  torch::Tensor weight_;  // [F, C] float32
  torch::Tensor bias_;    // [F] float32
};

}  // namespace xtts::model
