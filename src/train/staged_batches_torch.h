#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>

#include "pipeline/batch.h"
#include "train/data_loader.h"
#include "train/run_step_torch.h"

namespace xtts::train {

// The updates of a run on their way from the loader to the step: where a GPU trains, the next few
// already wait there. They count as used only when next_within() has given them away, so a save
// knows nothing of them. Borrows both.
class StagedBatches {
 public:
  // At most `most` wait at the step; 0: none.
  StagedBatches(DataLoader& data, RunStep& step, std::int64_t most)
      : data_(data), step_(step), most_(most) {}

  // Nothing if it does not come in time.
  std::unique_ptr<pipeline::Batch> next_within(std::chrono::milliseconds time);

  // Gives the step what the loader has ready. Never waits for the loader.
  void stage();

  // Before the loader goes elsewhere.
  void forget();

 private:
  DataLoader& data_;
  RunStep& step_;
  const std::int64_t most_;
  std::deque<std::unique_ptr<pipeline::Batch>> staged_;
};

}  // namespace xtts::train
