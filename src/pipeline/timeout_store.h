#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

#include "pipeline/mel_store.h"
#include "pipeline/waveform_store.h"

namespace xtts::pipeline {

// The mels of another store for whoever has no workers to give up: a read that does not end within
// the patience is a lost utterance too. Each read has a thread of its own; one that is stuck is
// left to itself and keeps the other store. What is read is copied into the scratch. Thread-safe,
// with a scratch per thread.
class TimeoutMelStore final : public MelStore {
 public:
  explicit TimeoutMelStore(std::shared_ptr<const MelStore> mels,
                           std::chrono::milliseconds patience = kReadTimeout);

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override;

 private:
  const std::shared_ptr<const MelStore> mels_;  // shared with reads that have not ended
  const std::chrono::milliseconds patience_;
};

// The same for samples. The scratch is not used.
class TimeoutWaveformStore final : public WaveformStore {
 public:
  explicit TimeoutWaveformStore(std::shared_ptr<const WaveformStore> sounds,
                                std::chrono::milliseconds patience = kReadTimeout);

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> place,
                    MelScratch& scratch) const override;

 private:
  const std::shared_ptr<const WaveformStore> sounds_;  // shared with reads that have not ended
  const std::chrono::milliseconds patience_;
};

}  // namespace xtts::pipeline
