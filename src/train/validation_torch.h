#pragma once

#include <optional>
#include <vector>

#include "pipeline/batch_sampler.h"
#include "pipeline/features.h"
#include "pipeline/shape_plan.h"
#include "step/train_step_torch.h"
#include "train/run_parts_torch.h"
#include "train/watchdog.h"

namespace xtts::train {

// The validation set of a run, put into batches once.
class Validation {
 public:
  // In the shapes of the run's plan; nothing where it holds no utterance. Features and plan need
  // not outlive it.
  Validation(const pipeline::FeatureSet& features,
             const pipeline::ShapePlan& plan,
             const pipeline::LoaderSettings& loading);

  bool is_empty() const { return updates_.empty(); }

  // The losses of the averaged weights, each update of them watched; nothing changes. Absent if a
  // request to stop (Ctrl-C) comes in between.
  std::optional<step::StepReport> losses(const step::TrainStep& step,
                                         RunParts& parts,
                                         RunWatchdog& watch);

 private:
  std::vector<pipeline::Batch> updates_;
};

}  // namespace xtts::train
