#include "config/config.h"

#include <algorithm>

#include "base/error.h"
#include "config/validate.h"

namespace myxtts::config {

std::string precision_of(const Config& config) {
  if (!config.data.mixed_precision) return config.training.precision;
  return *config.data.mixed_precision ? "bf16" : "fp32";
}

int longest_fft_of(const Config& config) {
  return std::max(2 * config.model.n_fft,
                  config.training.vocoder_adversarial_weight > 0 ? 2048 : 0);
}

Config for_vocoder(Config config) {
  const int longest_fft = longest_fft_of(config);
  const ModelConfig& model = config.model;
  const int samples = model.vocoder_crop_frames * model.hop_length;
  require_usage(
      samples >= longest_fft,
      "model.vocoder_crop_frames ({}) x model.hop_length ({}) is {} samples; expected at least {}, "
      "the longest FFT of the losses",
      model.vocoder_crop_frames,
      model.hop_length,
      samples,
      longest_fft);
  config.training.learning_rate = config.training.vocoder_learning_rate;
  config.training.scheduler = config.training.vocoder_scheduler;
  config.training.evaluate_every = 0;
  validate(config);
  return config;
}

}  // namespace myxtts::config
