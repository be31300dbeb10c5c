#pragma once

#include <torch/types.h>

#include "audio/mel_spec.h"

namespace myxtts::model {

// Interpolates the log magnitude of each FFT bin from a log-mel: linearly between the centres of
// the channels, constant below the first and above the last. C channels, F bins.
class MelEnvelope {
 public:
  // Throws UsageError if a mel channel covers no bin.
  explicit MelEnvelope(const audio::MelSpec& spec);

  // log-mel [..., C] float32 -> log magnitude [..., F], on the device of the mel.
  torch::Tensor operator()(const torch::Tensor& mel) const;

 private:
  torch::Tensor weight_;  // [F, C] float32
  torch::Tensor bias_;    // [F] float32
};

}  // namespace myxtts::model
