// Records the utterances that a run could no longer read.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace myxtts::data {

// Share of unreadable utterances above which a run ends with an error.
inline constexpr double kMaxUnreadableShare = 0.05;

// The utterances of a run that could no longer be read, each with its reason. Thread-safe;
// contains() is one atomic load.
class UnreadableUtterances {
 public:
  explicit UnreadableUtterances(std::size_t num_utterances);

  bool contains(std::size_t utterance) const {
    return is_unreadable_[utterance].load(std::memory_order_acquire);
  }

  // Records an utterance; a second call for it does nothing. Throws UserError that names it if more
  // than kMaxUnreadableShare of all utterances are unreadable.
  void add(std::size_t utterance, const std::string& id, const std::string& reason);

  std::size_t count() const;

  // Returns the utterances added since the last call, as "id: reason".
  std::vector<std::string> take_unreported();

 private:
  std::vector<std::atomic<bool>> is_unreadable_;
  mutable std::mutex mutex_;
  std::size_t count_ = 0;
  std::vector<std::string> unreported_;
};

}  // namespace myxtts::data
