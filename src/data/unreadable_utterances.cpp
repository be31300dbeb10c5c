#include "data/unreadable_utterances.h"

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::data {

UnreadableUtterances::UnreadableUtterances(std::size_t num_utterances)
    : is_unreadable_(num_utterances) {}

void UnreadableUtterances::add(std::size_t utterance,
                               const std::string& id,
                               const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  if (is_unreadable_[utterance].exchange(true, std::memory_order_acq_rel)) return;
  ++count_;
  unreported_.push_back(fmt::format("{}: {}", id, reason));
  require(
      static_cast<double>(count_) <=
          kMaxUnreadableShare * static_cast<double>(is_unreadable_.size()),
      "{} of {} utterances could no longer be read, more than {:.0f} %; the last is {}: {}; check "
      "the disk and the corpus (myxtts corpus check), then run the same command again",
      count_,
      is_unreadable_.size(),
      100.0 * kMaxUnreadableShare,
      id,
      reason);
}

std::size_t UnreadableUtterances::count() const {
  const std::scoped_lock lock(mutex_);
  return count_;
}

std::vector<std::string> UnreadableUtterances::take_unreported() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(unreported_, {});
}

}  // namespace myxtts::data
