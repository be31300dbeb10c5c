#include "pipeline/unreadable_utterances.h"

#include <fmt/format.h>

#include "base/error.h"

namespace xtts::pipeline {

UnreadableUtterances::UnreadableUtterances(std::size_t num_utterances) : is_lost_(num_utterances) {}

void UnreadableUtterances::lose(std::size_t utterance,
                                const std::string& id,
                                const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  if (is_lost_[utterance].exchange(true, std::memory_order_acq_rel)) return;
  ++count_;
  news_.push_back(fmt::format("{}: {}", id, reason));
  require(static_cast<double>(count_) <= kMostBadShare * static_cast<double>(is_lost_.size()),
          "{} of {} utterances could no longer be read, more than {:.0f} %, the last one {}: {}; "
          "look at the disk and at the corpus (myxtts corpus check), then run the same command "
          "again",
          count_,
          is_lost_.size(),
          100.0 * kMostBadShare,
          id,
          reason);
}

std::size_t UnreadableUtterances::count() const {
  const std::scoped_lock lock(mutex_);
  return count_;
}

std::vector<std::string> UnreadableUtterances::take_news() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(news_, {});
}

}  // namespace xtts::pipeline
