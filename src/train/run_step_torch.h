#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/batch.h"
#include "pipeline/shape_plan.h"
#include "step/prepare_torch.h"
#include "step/retrace_monitor.h"
#include "train/run_parts_torch.h"

namespace xtts::train {

// The step of a run: prepared for every signature of its plan, or eager, and watched either way.
class RunStep {
 public:
  // With dynamic shapes every shape passes, eagerly. Borrows the parts.
  RunStep(RunParts& parts,
          const config::TrainingConfig& training,
          const pipeline::ShapePlan& plan,
          const step::BatchFacts& facts);

  // Once, before the first update and after a save was taken in. Returns what was done, in lines
  // for people. Changes no number.
  std::vector<std::string> prepare();

  // Update number `step`. A batch outside the plan is refused by its dimension. Where memory fails,
  // the update is made again from halves of its batches.
  step::StepReport run(pipeline::Update& update,
                       double learning_rate,
                       double diagonal,
                       std::int64_t step);

  const step::TrainStep& plain() const { return step_; }  // for validations
  const char* kind() const { return is_prepared_ ? "prepared" : "eager"; }
  std::vector<step::Retrace> take_retraces();  // since they were last taken

 private:
  step::StepReport run_or_split(pipeline::Update& update,
                                double learning_rate,
                                double diagonal,
                                std::int64_t step);

  RunParts& parts_;
  const std::vector<pipeline::Signature> signatures_;
  const step::BatchFacts facts_;
  const bool is_prepared_;
  step::PreparedRunner runner_;
  step::TrainStep step_;
  step::RetraceMonitor monitor_;
  std::vector<step::Retrace> retraces_;
};

}  // namespace xtts::train
