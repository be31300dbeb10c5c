#include "train/staged_batches_torch.h"

#include <utility>

namespace myxtts::train {

std::unique_ptr<data::Batch> StagedBatches::next_within(std::chrono::milliseconds time) {
  if (staged_.empty()) return data_.next_within(time);
  std::unique_ptr<data::Batch> batch = std::move(staged_.front());
  staged_.pop_front();
  return batch;
}

void StagedBatches::stage() {
  while (std::ssize(staged_) < capacity_) {
    std::unique_ptr<data::Batch> batch = data_.next_if_ready();
    if (!batch) return;
    step_.stage_ahead(*batch);
    staged_.push_back(std::move(batch));
  }
}

void StagedBatches::discard() {
  step_.discard_staged();
  for (std::unique_ptr<data::Batch>& batch : staged_)
    data_.recycle(std::move(batch));
  staged_.clear();
}

}  // namespace myxtts::train
