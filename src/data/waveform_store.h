// The interface for reading waveforms, and the store that keeps them in memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "data/mel_store.h"

namespace myxtts::data {

// Convert between float and 16-bit samples; values above full scale are clipped.
inline std::int16_t to_16_bits(float sample) {
  return static_cast<std::int16_t>(std::lrint(std::clamp(sample * 32768.0F, -32768.0F, 32767.0F)));
}
inline float from_16_bits(std::int16_t sample) {
  return static_cast<float>(sample) / 32768.0F;
}

// Reads the prepared samples of a feature set, from which the mels are computed. All stores round
// them to 16 bits, which halves the memory, so that all give identical values. Thread-safe with one
// scratch per thread.
class WaveformStore {
 public:
  virtual ~WaveformStore() = default;

  // Fills `samples` with the waveform from sample `start` on, and with zeros behind its end.
  // Returns the length of the whole waveform. Throws UnreadableUtterance.
  virtual std::int64_t copy(std::size_t utterance,
                            std::int64_t start,
                            std::span<float> samples,
                            MelScratch& scratch) const = 0;
};

// Keeps waveforms in memory. Reads those that it does not have from `fallback`.
class MemoryWaveforms final : public WaveformStore {
 public:
  explicit MemoryWaveforms(std::vector<std::vector<std::int16_t>> waveforms,
                           std::shared_ptr<const WaveformStore> fallback = nullptr)
      : waveforms_(std::move(waveforms)), fallback_(std::move(fallback)) {}

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> samples,
                    MelScratch& scratch) const override {
    const std::vector<std::int16_t>& waveform = waveforms_.at(utterance);
    if (waveform.empty() && fallback_) return fallback_->copy(utterance, start, samples, scratch);
    const auto from = std::min(static_cast<std::size_t>(start), waveform.size());
    const auto piece =
        std::span(waveform).subspan(from, std::min(samples.size(), waveform.size() - from));
    const auto end = std::ranges::transform(piece, samples.begin(), from_16_bits).out;
    std::fill(end, samples.end(), 0.0F);
    return std::ssize(waveform);
  }

 private:
  std::vector<std::vector<std::int16_t>> waveforms_;  // empty: in the fallback
  std::shared_ptr<const WaveformStore> fallback_;
};

}  // namespace myxtts::data
