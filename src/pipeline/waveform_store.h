#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/mel_store.h"

namespace xtts::pipeline {

// A sample as a WAV file of 16 bits holds it; what is louder than full scale is clipped.
inline std::int16_t to_16_bits(float sample) {
  return static_cast<std::int16_t>(std::lrint(std::clamp(sample * 32768.0F, -32768.0F, 32767.0F)));
}
inline float from_16_bits(std::int16_t sample) {
  return static_cast<float>(sample) / 32768.0F;
}

// The prepared samples of a corpus's good utterances, wherever they are: what their mels are
// computed from, rounded to 16 bits, so that memory holds twice as many and a store that reads them
// again gives the same ones. Thread-safe, with a scratch per thread.
class WaveformStore {
 public:
  virtual ~WaveformStore() = default;

  // Fills `place` with the samples from `start` on, silence behind their end, and returns how many
  // the whole utterance has. Throws UnreadableUtterance.
  virtual std::int64_t copy(std::size_t utterance,
                            std::int64_t start,
                            std::span<float> place,
                            MelScratch& scratch) const = 0;
};

// In memory. What it has no room for is with `others`.
class MemoryWaveforms final : public WaveformStore {
 public:
  explicit MemoryWaveforms(std::vector<std::vector<std::int16_t>> sounds,
                           std::shared_ptr<const WaveformStore> others = nullptr)
      : sounds_(std::move(sounds)), others_(std::move(others)) {}

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> place,
                    MelScratch& scratch) const override {
    const std::vector<std::int16_t>& here = sounds_.at(utterance);
    if (here.empty() && others_) return others_->copy(utterance, start, place, scratch);
    const auto from = std::min(static_cast<std::size_t>(start), here.size());
    const auto piece = std::span(here).subspan(from, std::min(place.size(), here.size() - from));
    const auto end = std::ranges::transform(piece, place.begin(), from_16_bits).out;
    std::fill(end, place.end(), 0.0F);
    return std::ssize(here);
  }

 private:
  std::vector<std::vector<std::int16_t>> sounds_;  // empty: with the others
  std::shared_ptr<const WaveformStore> others_;
};

}  // namespace xtts::pipeline
