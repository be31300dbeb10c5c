// Mel and waveform stores with a read timeout.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

#include "data/mel_store.h"
#include "data/waveform_store.h"

namespace myxtts::data {

// Reads mels from another store with a timeout, for callers without worker threads. A read that
// exceeds the timeout throws UnreadableUtterance. Each read has its own thread; a stuck thread is
// detached and keeps the other store alive. Mels are copied into the scratch. Thread-safe with one
// scratch per thread.
class TimeoutMelStore final : public MelStore {
 public:
  explicit TimeoutMelStore(std::shared_ptr<const MelStore> mels,
                           std::chrono::milliseconds timeout = kReadTimeout);

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override;

 private:
  const std::shared_ptr<const MelStore> mels_;  // shared with unfinished reads
  const std::chrono::milliseconds timeout_;
};

// Reads waveforms from another store with a timeout, as TimeoutMelStore. Does not use the scratch.
class TimeoutWaveformStore final : public WaveformStore {
 public:
  explicit TimeoutWaveformStore(std::shared_ptr<const WaveformStore> waveforms,
                                std::chrono::milliseconds timeout = kReadTimeout);

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> samples,
                    MelScratch& scratch) const override;

 private:
  const std::shared_ptr<const WaveformStore> waveforms_;  // shared with unfinished reads
  const std::chrono::milliseconds timeout_;
};

}  // namespace myxtts::data
