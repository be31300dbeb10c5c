#include "train/staged_batches_torch.h"

#include <utility>

namespace xtts::train {

std::unique_ptr<pipeline::Batch> StagedBatches::next_within(std::chrono::milliseconds time) {
  if (staged_.empty()) return data_.next_within(time);
  std::unique_ptr<pipeline::Batch> update = std::move(staged_.front());
  staged_.pop_front();
  return update;
}

void StagedBatches::stage() {
  while (std::ssize(staged_) < most_) {
    std::unique_ptr<pipeline::Batch> update = data_.next_if_ready();
    if (!update) return;
    step_.stage_ahead(*update);
    staged_.push_back(std::move(update));
  }
}

void StagedBatches::forget() {
  step_.forget_ahead();
  for (std::unique_ptr<pipeline::Batch>& update : staged_)
    data_.give_back(std::move(update));
  staged_.clear();
}

}  // namespace xtts::train
