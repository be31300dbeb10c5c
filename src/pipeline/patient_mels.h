#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

#include "pipeline/mel_store.h"
#include "pipeline/sound_store.h"

namespace xtts::pipeline {

// The mels of another store for whoever has no workers to give up: a read that does not end within
// the patience is a lost utterance too. Each read has a thread of its own; one that is stuck is
// left to itself and keeps the other store. What is read is copied into the scratch. Thread-safe,
// with a scratch per thread.
class PatientMels final : public MelStore {
 public:
  explicit PatientMels(std::shared_ptr<const MelStore> mels,
                       std::chrono::milliseconds patience = kReadPatience);

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override;

 private:
  const std::shared_ptr<const MelStore> mels_;  // shared with reads that have not ended
  const std::chrono::milliseconds patience_;
};

// The same for samples. The scratch is not used.
class PatientSounds final : public SoundStore {
 public:
  explicit PatientSounds(std::shared_ptr<const SoundStore> sounds,
                         std::chrono::milliseconds patience = kReadPatience);

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> place,
                    MelScratch& scratch) const override;

 private:
  const std::shared_ptr<const SoundStore> sounds_;  // shared with reads that have not ended
  const std::chrono::milliseconds patience_;
};

}  // namespace xtts::pipeline
