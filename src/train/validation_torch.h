#pragma once

#include <optional>
#include <vector>

#include "data/batch_sampler.h"
#include "data/features.h"
#include "data/shape_plan.h"
#include "step/train_step_torch.h"
#include "train/run_parts_torch.h"
#include "train/watchdog.h"

namespace myxtts::train {

// Computes the validation losses of a run.
//
// Collates the validation set once, at construction.
class Validation {
 public:
  // Uses the shapes of the run's plan; empty without validation utterances. Features and plan need
  // not outlive the object.
  Validation(const data::FeatureSet& features,
             const data::ShapePlan& plan,
             const data::LoaderSettings& loading);

  bool is_empty() const { return batches_.empty(); }

  // Returns the losses of the EMA weights. Each batch is an activity of the watchdog. Changes no
  // state. Returns nullopt after an interrupt (Ctrl-C).
  std::optional<step::StepReport> losses(const step::TrainStep& step,
                                         RunParts& parts,
                                         RunWatchdog& watchdog);

 private:
  std::vector<data::Batch> batches_;
};

}  // namespace myxtts::train
