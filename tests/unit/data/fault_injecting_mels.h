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
#include "data/mel_store.h"

namespace myxtts::data {

// A mel store that injects faults and delays for chosen utterances.
class FaultInjectingMels final : public MelStore {
 public:
  explicit FaultInjectingMels(std::shared_ptr<const MelStore> mels) : mels_(std::move(mels)) {}

  ~FaultInjectingMels() override { release(); }

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override {
    if (unreadable.contains(utterance)) throw UnreadableUtterance("file is missing");
    if (broken.contains(utterance)) throw BugError("injected error");
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

  std::set<std::size_t> unreadable;
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

}  // namespace myxtts::data
