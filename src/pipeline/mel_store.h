#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace xtts::pipeline {

// Working memory of one thread that reads mels. It grows to what the longest mel needs, and stays.
struct MelScratch {
  std::vector<float> values;  // [M, C] of the mel that was read last, where it had to be made
};

// An utterance that was good when the run began and can no longer be read.
class LostUtterance : public UserError {
 public:
  explicit LostUtterance(const std::string& reason) : UserError(reason) {}
};

// The mels of a corpus's good utterances, wherever they are kept. Thread-safe, with a scratch per
// thread.
class MelStore {
 public:
  virtual ~MelStore() = default;

  // [M, C] natural logarithm. What is returned lives as long as the store, or until the scratch is
  // used again. Throws LostUtterance.
  virtual std::span<const float> read(std::size_t utterance, MelScratch& scratch) const = 0;
};

// All of them in memory: the plain twin of every other store.
class MemoryMels final : public MelStore {
 public:
  explicit MemoryMels(std::vector<std::vector<float>> mels) : mels_(std::move(mels)) {}

  std::span<const float> read(std::size_t utterance, MelScratch&) const override {
    return mels_.at(utterance);
  }

 private:
  std::vector<std::vector<float>> mels_;  // each [M, C]
};

}  // namespace xtts::pipeline
