#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "data/batch.h"
#include "data/lanes.h"
#include "step/captured_step.h"
#include "train/checkpoint_manager_torch.h"
#include "train/data_loader.h"
#include "train/run_step_torch.h"
#include "train/staged_batches_torch.h"
#include "train/watchdog.h"

namespace myxtts::train {

// The model lane: takes batches from the data lane and runs the training steps under the watchdog.
// Errors name the step. Borrows its parts; used from the training thread.
class ModelLane {
 public:
  struct Parts {
    const data::LanePlan& lanes;
    DataLoader& data;
    RunStep& step;
    const CheckpointManager& checkpoints;
    RunWatchdog& watchdog;
    std::function<void(std::int64_t)> before_step;  // may be empty
  };

  struct StepSettings {
    std::int64_t step = 0;
    double learning_rate = 0.0;
    double diagonal = 0.0;
  };

  explicit ModelLane(Parts parts);

  // Returns the batch of this step; null if a signal arrives first.
  std::unique_ptr<data::Batch> next(std::int64_t step);

  // Runs a step and stages the next batches on the device. Returns the result of RunStep::run().
  // Exceptions of LibTorch, the device or the system become a UserError that names the step, the
  // device and the last checkpoint.
  std::optional<step::LateReport> compute(data::Batch& batch, const StepSettings& settings);

  // Drops staged batches. Call before the data lane seeks.
  void drop_staged() { staged_.discard(); }

 private:
  std::string failure_message(std::int64_t step) const;

  const Parts parts_;
  StagedBatches staged_;
};

}  // namespace myxtts::train
