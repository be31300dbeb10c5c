#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace xtts::config {
struct Config;
}

namespace xtts::audio {

// Everything that decides which numbers a mel frame holds, from the decoded samples on.
//
// Two models, or a model and a feature cache, may work together only if their contracts are equal;
// mel_fingerprint() is how they compare. Fields are spelled like the YAML keys.
struct MelSpec {
  int sample_rate = 22050;
  int n_fft = 1024;       // a power of two
  int win_length = 1024;  // samples, at most n_fft: a shorter window is centred in the FFT
  int hop_length = 256;   // samples
  int n_mels = 80;
  double mel_fmin = 0.0;     // Hz
  double mel_fmax = 8000.0;  // Hz, at most sample_rate / 2
  double mel_floor = 1e-5;   // magnitudes below it are raised to it before the logarithm
  bool trim_silence = true;
  double trim_top_db = 40.0;    // dB below the loudest frame that count as silence
  bool normalize_audio = true;  // scale down what peaks above 0.99; nothing is ever clipped
  bool enable_loudness_normalization = true;
  double target_loudness_lufs = -23.0;

  bool operator==(const MelSpec&) const = default;
};

// The part of a configuration that is the contract.
MelSpec mel_spec_of(const config::Config& config);

// Throws UsageError that lists every field no mel can be made with.
void validate(const MelSpec& contract);

// 64 hexadecimal digits; equal for equal contracts on every machine.
std::string mel_fingerprint(const MelSpec& contract);

// What of one contract is otherwise in another: "mel_fmax is 7600, not 8000"; empty for equal ones.
std::string differences_of(const MelSpec& contract, const MelSpec& from);

// Mel frames of a prepared sound: 1 + num_samples / hop_length.
std::int64_t num_frames(const MelSpec& contract, std::size_t num_samples);

}  // namespace xtts::audio
