#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "pipeline/batch.h"
#include "pipeline/lanes.h"
#include "step/captured_step.h"
#include "train/checkpoint_manager_torch.h"
#include "train/data_loader.h"
#include "train/run_step_torch.h"
#include "train/staged_batches_torch.h"
#include "train/watchdog.h"

namespace xtts::train {

// The lane of the model: takes the updates of the data lane and computes them, watched. What goes
// wrong in it names its step. Borrows all that it is made of; used from the thread that trains.
class ModelLane {
 public:
  struct Parts {
    const pipeline::LanePlan& lanes;
    DataLoader& data;
    RunStep& step;
    const CheckpointManager& saves;
    RunWatchdog& watch;
    std::function<void(std::int64_t)> before_step;  // may be empty
  };

  struct Order {
    std::int64_t step = 0;
    double learning_rate = 0.0;
    double diagonal = 0.0;
  };

  explicit ModelLane(Parts parts);

  // The update of this step; nothing if a signal comes first.
  std::unique_ptr<pipeline::Batch> next(std::int64_t step);

  // Computes it, and brings the updates after it to the device. Returns what RunStep::run() does.
  // Whatever LibTorch, the device or the system throws becomes a UserError that names the step, the
  // lane and the last save.
  std::optional<step::LateReport> compute(pipeline::Batch& update, const Order& order);

  // Before the data lane goes elsewhere.
  void forget_upcoming() { upcoming_.forget(); }

 private:
  std::string failure_words(std::int64_t step) const;

  const Parts parts_;
  StagedBatches upcoming_;
};

}  // namespace xtts::train
