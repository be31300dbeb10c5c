#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "audio/mel_spec.h"

namespace xtts::audio {

// M frames of C channels, natural logarithm of the mel magnitude.
struct Mel {
  std::int64_t num_frames = 0;
  int n_mels = 0;
  std::vector<float> values;  // [M, C], frame after frame

  std::span<const float> frame(std::int64_t index) const {
    const auto channels = static_cast<std::size_t>(n_mels);
    return std::span(values).subspan(static_cast<std::size_t>(index) * channels, channels);
  }
};

// A natural logarithm that no channel of any sound within full scale can exceed.
float highest_log_mel(const MelSpec& contract);

class MelFilterbank;
class Stft;

// Samples to log-mel frames by the contract: the plain double-precision twin that faster ones are
// measured against.
//
// Immutable once built: threads share one instance without locking.
class ReferenceMel {
 public:
  // Throws UsageError for a contract that validate() refuses.
  explicit ReferenceMel(const MelSpec& contract);
  ~ReferenceMel();
  ReferenceMel(const ReferenceMel&) = delete;
  ReferenceMel& operator=(const ReferenceMel&) = delete;

  const MelSpec& contract() const { return contract_; }

  // [M, C] with M = num_frames(contract, samples.size()). Samples are at the contract's rate; none
  // at all give one frame of silence.
  Mel log_mel(std::span<const float> samples) const;

  // The same before floor and logarithm, [M, C] double.
  std::vector<double> linear_mel(std::span<const float> samples) const;

 private:
  MelSpec contract_;
  std::unique_ptr<const Stft> stft_;
  std::unique_ptr<const MelFilterbank> filters_;
};

}  // namespace xtts::audio
