// Log-mel spectrograms and their reference extraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "audio/mel_spec.h"

namespace myxtts::audio {

// A log-mel spectrogram: M frames of C channels, natural logarithm of the mel magnitude.
struct Mel {
  std::int64_t num_frames = 0;
  int n_mels = 0;
  std::vector<float> values;  // [M, C], frame after frame

  std::span<const float> frame(std::int64_t index) const {
    const auto channels = static_cast<std::size_t>(n_mels);
    return std::span(values).subspan(static_cast<std::size_t>(index) * channels, channels);
  }
};

// Upper bound of the log-mel values of any audio within full scale.
float highest_log_mel(const MelSpec& spec);

class MelFilterbank;
class Stft;

// Log-mel extraction in double precision: the reference implementation for faster ones.
//
// Immutable once built: threads share one instance without locking.
class ReferenceMel {
 public:
  // Throws UsageError for a spec that validate() rejects.
  explicit ReferenceMel(const MelSpec& spec);
  ~ReferenceMel();
  ReferenceMel(const ReferenceMel&) = delete;
  ReferenceMel& operator=(const ReferenceMel&) = delete;

  const MelSpec& spec() const { return spec_; }

  // Returns [M, C] with M = num_frames(spec, samples.size()). Samples are at the spec's sample
  // rate; no samples give one frame of silence.
  Mel log_mel(std::span<const float> samples) const;

  // Returns the mel magnitudes before floor and logarithm, [M, C] double.
  std::vector<double> linear_mel(std::span<const float> samples) const;

 private:
  MelSpec spec_;
  std::unique_ptr<const Stft> stft_;
  std::unique_ptr<const MelFilterbank> filters_;
};

}  // namespace myxtts::audio
