#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>

#include "data/batch.h"
#include "train/data_loader.h"
#include "train/run_step_torch.h"

namespace myxtts::train {

// Stages the next batches on the GPU before the step needs them.
//
// A batch counts as used only when next_within() has returned it, so checkpoints ignore staged
// batches. Borrows loader and step.
class StagedBatches {
 public:
  // Stages at most `capacity` batches; 0: none.
  StagedBatches(DataLoader& data, RunStep& step, std::int64_t capacity)
      : data_(data), step_(step), capacity_(capacity) {}

  // Returns the next batch, or null after `time`.
  std::unique_ptr<data::Batch> next_within(std::chrono::milliseconds time);

  // Stages the batches that the loader has ready. Never waits for the loader.
  void stage();

  // Discards all staged batches. Call it before the loader seeks.
  void discard();

 private:
  DataLoader& data_;
  RunStep& step_;
  const std::int64_t capacity_;
  std::deque<std::unique_ptr<data::Batch>> staged_;
};

}  // namespace myxtts::train
