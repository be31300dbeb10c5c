#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "pipeline/batch.h"
#include "pipeline/lanes.h"
#include "step/captured_step.h"
#include "train/run_data.h"
#include "train/run_saves_torch.h"
#include "train/run_step_torch.h"
#include "train/run_watch.h"
#include "train/upcoming_torch.h"

namespace xtts::train {

// The lane of the model: takes the updates of the data lane and computes them, watched. What goes
// wrong in it names its step. Borrows all that it is made of; used from the thread that trains.
class ModelLane {
 public:
  struct Parts {
    const pipeline::LanePlan& lanes;
    RunData& data;
    RunStep& step;
    const RunSaves& saves;
    RunWatch& watch;
    std::function<void(std::int64_t)> before_step;  // may be empty
  };

  struct Order {
    std::int64_t step = 0;
    double learning_rate = 0.0;
    double diagonal = 0.0;
  };

  explicit ModelLane(Parts parts);

  // The update of this step; nothing if a signal comes first.
  std::unique_ptr<pipeline::Update> next(std::int64_t step);

  // Computes it, and brings the updates after it to the device. Returns what RunStep::run() does.
  // Whatever LibTorch, the device or the system throws becomes a UserError that names the step, the
  // lane and the last save.
  std::optional<step::LateReport> compute(pipeline::Update& update, const Order& order);

  // Before the data lane goes elsewhere.
  void forget_upcoming() { upcoming_.forget(); }

 private:
  std::string failure_words(std::int64_t step) const;

  const Parts parts_;
  UpcomingUpdates upcoming_;
};

}  // namespace xtts::train
