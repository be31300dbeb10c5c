// Synthetic recordings and a configuration for corpus tests.
#pragma once

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "audio/wav.h"
#include "config/config.h"
#include "support/temp_dir.h"

namespace myxtts::corpus {

// A 220 Hz tone with 4 Hz amplitude modulation, similar to syllables.
inline std::vector<float> hum(double seconds, float gain = 0.3F, int sample_rate = 22050) {
  std::vector<float> samples(static_cast<std::size_t>(seconds * sample_rate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double time_s = static_cast<double>(i) / sample_rate;
    const double amplitude = 0.6 + 0.4 * std::cos(2.0 * std::numbers::pi * 4.0 * time_s);
    samples[i] =
        gain * static_cast<float>(amplitude * std::sin(2.0 * std::numbers::pi * 220.0 * time_s));
  }
  return samples;
}

inline std::string hum_wav(double seconds, float gain = 0.3F, int sample_rate = 22050) {
  return audio::wav_bytes(hum(seconds, gain, sample_rate), sample_rate);
}

// A configuration without phonemes, so that expected lengths can be counted by hand.
inline config::Config grapheme_config() {
  config::Config config;
  config.data.use_phonemes = false;
  return config;
}

}  // namespace myxtts::corpus
