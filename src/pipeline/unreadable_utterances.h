#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace xtts::pipeline {

// Above this share of its utterances a corpus is not what people think it is.
inline constexpr double kMostBadShare = 0.05;

// Which utterances of a run could no longer be read, each with its reason. Thread-safe; asking is
// one load.
class UnreadableUtterances {
 public:
  explicit UnreadableUtterances(std::size_t num_utterances);

  bool is_lost(std::size_t utterance) const {
    return is_lost_[utterance].load(std::memory_order_acquire);
  }

  // Takes note of one; a second time changes nothing. Throws UserError that names it once more than
  // kMostBadShare of all are lost.
  void lose(std::size_t utterance, const std::string& id, const std::string& reason);

  std::size_t count() const;

  // Those since the last call, as "id: reason".
  std::vector<std::string> take_news();

 private:
  std::vector<std::atomic<bool>> is_lost_;
  mutable std::mutex mutex_;
  std::size_t count_ = 0;
  std::vector<std::string> news_;
};

}  // namespace xtts::pipeline
