#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace myxtts::config {
struct Config;
}

namespace myxtts::audio {

// The settings that determine the values of a mel frame, from the decoded samples on.
//
// Models and feature caches combine only if their specs are equal; mel_fingerprint() compares them.
// Fields are spelled like the YAML keys.
struct MelSpec {
  int sample_rate = 22050;  // Hz
  int n_fft = 1024;         // a power of two
  int win_length = 1024;    // samples, at most n_fft: a shorter window is centred in the FFT
  int hop_length = 256;     // samples
  int n_mels = 80;
  double mel_fmin = 0.0;     // Hz
  double mel_fmax = 8000.0;  // Hz, at most sample_rate / 2
  double mel_floor = 1e-5;   // minimum magnitude before the logarithm
  bool trim_silence = true;
  double trim_top_db = 40.0;    // silence threshold, dB below the loudest frame
  bool normalize_audio = true;  // scale down peaks above 0.99; never clips
  bool enable_loudness_normalization = true;
  double target_loudness_lufs = -23.0;

  bool operator==(const MelSpec&) const = default;
};

// Returns the mel settings of a configuration.
MelSpec mel_spec_of(const config::Config& config);

// Throws UsageError that lists every invalid field.
void validate(const MelSpec& spec);

// SHA-256 of the spec, 64 hexadecimal digits; equal for equal specs on every machine.
std::string mel_fingerprint(const MelSpec& spec);

// Lists the fields of `spec` that differ from `from`: "mel_fmax is 7600, not 8000"; empty if equal.
std::string differences_of(const MelSpec& spec, const MelSpec& from);

// Mel frames of prepared audio: 1 + num_samples / hop_length.
std::int64_t num_frames(const MelSpec& spec, std::size_t num_samples);

}  // namespace myxtts::audio
