#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "base/error.h"
#include "pipeline/mel_store.h"

namespace xtts::pipeline {

// Mels in memory, with faults and delays for chosen utterances.
class TroubledMels final : public MelStore {
 public:
  explicit TroubledMels(std::shared_ptr<const MelStore> mels) : mels_(std::move(mels)) {}

  ~TroubledMels() override { release(); }

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override {
    if (lost.contains(utterance)) throw UnreadableUtterance("its file is gone");
    if (broken.contains(utterance)) throw BugError("a worker broke");
    if (delay > std::chrono::milliseconds(0)) std::this_thread::sleep_for(delay * (utterance % 3));
    if (busy.contains(utterance)) {
      const auto end = std::chrono::steady_clock::now() + work;
      while (std::chrono::steady_clock::now() < end) {
      }
    }
    if (stuck.contains(utterance)) {
      std::unique_lock lock(mutex_);
      ++num_stuck;
      released_.wait(lock, [this] { return is_released_; });
    }
    return mels_->read(utterance, scratch);
  }

  void release() {
    const std::scoped_lock lock(mutex_);
    is_released_ = true;
    released_.notify_all();
  }

  std::set<std::size_t> lost;
  std::set<std::size_t> broken;
  std::set<std::size_t> stuck;  // wait for release()
  std::set<std::size_t> busy;   // compute for as long as `work`
  std::chrono::milliseconds work{0};
  std::chrono::milliseconds delay{0};
  mutable std::atomic<int> num_stuck = 0;

 private:
  std::shared_ptr<const MelStore> mels_;
  mutable std::mutex mutex_;
  mutable std::condition_variable released_;
  bool is_released_ = false;
};

}  // namespace xtts::pipeline
