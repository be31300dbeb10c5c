#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "audio/decode.h"
#include "audio/fast_mel.h"
#include "audio/prepare.h"
#include "base/error.h"
#include "corpus/load_recording.h"
#include "pipeline/audio_file.h"

namespace xtts::pipeline {

// Working memory of one thread that reads mels. It grows to what the longest mel needs, and stays.
struct MelScratch {
  // Where a mel that has to be made goes if there is room for it; else into `values`.
  std::span<float> place;
  std::vector<float> values;
  AudioFile file;
  audio::DecodeResult decoded;
  audio::PrepareScratch prepare;
  audio::FastMel::Scratch mel;
};

// An utterance that was good when the run began and can no longer be read.
class UnreadableUtterance : public UserError {
 public:
  explicit UnreadableUtterance(const std::string& reason) : UserError(reason) {}
};

using corpus::kReadTimeout;

// Why such an utterance is lost.
inline std::string stuck_reason(std::chrono::duration<double> patience) {
  return fmt::format("reading it did not end within {:.1f} s", patience.count());
}

// Why one is lost whose mel has other frames than were counted.
inline constexpr const char* kOtherLength =
    "its recording has another length than when the run began";

// The mels of a corpus's good utterances, wherever they are kept. Thread-safe, with a scratch per
// thread.
class MelStore {
 public:
  virtual ~MelStore() = default;

  // [M, C] natural logarithm. What is returned lives as long as the store, or until the scratch is
  // used again. Throws UnreadableUtterance.
  virtual std::span<const float> read(std::size_t utterance, MelScratch& scratch) const = 0;
};

// In memory: the plain twin of every other store. What memory has no room for is with `others`.
class MemoryMels final : public MelStore {
 public:
  explicit MemoryMels(std::vector<std::vector<float>> mels,
                      std::shared_ptr<const MelStore> others = nullptr)
      : mels_(std::move(mels)), others_(std::move(others)) {}

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override {
    const std::vector<float>& here = mels_.at(utterance);
    return here.empty() && others_ ? others_->read(utterance, scratch) : here;
  }

 private:
  std::vector<std::vector<float>> mels_;  // each [M, C]; empty: with the others
  std::shared_ptr<const MelStore> others_;
};

}  // namespace xtts::pipeline
