// The interface for reading mels, and the store that keeps them in memory.
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
#include "data/audio_file.h"

namespace myxtts::data {

// Working memory of one reading thread. It grows to the size of the longest mel.
struct MelScratch {
  // Where a mel is computed if it fits; otherwise `values` is used.
  std::span<float> destination;
  std::vector<float> values;
  AudioFile file;
  audio::DecodeResult decoded;
  audio::PrepareScratch prepare;
  audio::FastMel::Scratch mel;
};

// Thrown for an utterance that was readable when the run began and no longer is.
class UnreadableUtterance : public UserError {
 public:
  explicit UnreadableUtterance(const std::string& reason) : UserError(reason) {}
};

using corpus::kReadTimeout;

// Reason of an utterance whose read exceeds the timeout.
inline std::string read_timeout_reason(std::chrono::duration<double> timeout) {
  return fmt::format("reading it did not end within {:.1f} s", timeout.count());
}

// Reason of an utterance whose mel has a different number of frames than at the start of the run.
inline constexpr const char* kLengthChanged =
    "the length of the recording has changed since the run began";

// Reads the mels of a feature set. Thread-safe with one scratch per thread.
class MelStore {
 public:
  virtual ~MelStore() = default;

  // Returns a mel [M, C], natural logarithm. It is valid until the scratch is used again or the
  // store is destroyed. Throws UnreadableUtterance.
  virtual std::span<const float> read(std::size_t utterance, MelScratch& scratch) const = 0;
};

// Keeps mels in memory; the reference implementation of all stores. Reads mels that it does not
// have from `fallback`.
class MemoryMels final : public MelStore {
 public:
  explicit MemoryMels(std::vector<std::vector<float>> mels,
                      std::shared_ptr<const MelStore> fallback = nullptr)
      : mels_(std::move(mels)), fallback_(std::move(fallback)) {}

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override {
    const std::vector<float>& mel = mels_.at(utterance);
    return mel.empty() && fallback_ ? fallback_->read(utterance, scratch) : mel;
  }

 private:
  std::vector<std::vector<float>> mels_;  // each [M, C]; empty: in the fallback
  std::shared_ptr<const MelStore> fallback_;
};

}  // namespace myxtts::data
