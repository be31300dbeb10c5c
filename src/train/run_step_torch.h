#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/threads.h"
#include "config/config.h"
#include "data/batch.h"
#include "data/collator.h"
#include "data/shape_plan.h"
#include "step/captured_work_torch.h"
#include "step/graph_device.h"
#include "step/prepare_torch.h"
#include "step/retrace_monitor.h"
#include "train/run_parts_torch.h"

namespace myxtts::train {

// Runs the training step of a run: prepared (CPU), captured (GPU) or eager.

// Returns the loader settings for the task.
data::LoaderSettings loader_settings_for(const config::Config& config, Task task);

// Returns the properties of the task's batches that are not part of the signature.
step::BatchProperties batch_properties_of(const config::Config& config,
                                          const data::LoaderSettings& loading);

// The step is prepared (CPU) or captured (GPU) for every signature of the shape plan, or eager, and
// always monitored for retraces. On a GPU the step of a vocoder is eager.
class RunStep {
 public:
  // Accepts every shape, eagerly, if shapes are dynamic. Borrows the parts. With a device, captures
  // the step on it and stages at most `num_staged` micro-batches there. On the CPU each LibTorch
  // thread is pinned to one of the cores.
  RunStep(RunParts& parts,
          const config::TrainingConfig& training,
          const data::ShapePlan& plan,
          const step::BatchProperties& properties,
          std::unique_ptr<step::GraphDevice> device = nullptr,
          std::vector<int> cores = base::usable_cores(),
          std::int64_t num_staged = 1);

  // Prepares or captures the step. Call once, before the first step and after restoring a
  // checkpoint. Returns log lines. Changes no weights.
  std::vector<std::string> prepare();

  // Runs step number `step`. Returns its report or, when captured, the report of the previous step
  // if there is one. Throws if a shape is not in the plan; the message names the dimension. If a
  // CPU allocation fails, runs the step again with micro-batches of half the size.
  std::optional<step::LateReport> run(data::Batch& batch,
                                      double learning_rate,
                                      double diagonal,
                                      std::int64_t step);

  // When captured, copies the inputs of the next batch to the device if there is room. The batch
  // must live until run() has used it or until discard_staged().
  void stage_ahead(const data::Batch& batch);
  void discard_staged();

  // Waits for the last step. Returns its report if run() has not returned it.
  std::optional<step::LateReport> flush();

  const step::TrainStep& train_step() const { return step_; }  // for validations
  const char* kind() const { return captured_ ? "captured" : is_prepared_ ? "prepared" : "eager"; }
  std::vector<step::Retrace> take_retraces();  // since the previous call

 private:
  std::vector<std::string> capture();
  step::StepReport run_or_split(data::Batch& batch,
                                double learning_rate,
                                double diagonal,
                                std::int64_t step);

  RunParts& parts_;
  const std::vector<int> cores_;
  const std::vector<data::Signature> signatures_;
  const step::BatchProperties properties_;
  std::unique_ptr<step::CapturedRun> captured_;
  const bool is_prepared_;
  step::PreparedRunner runner_;
  step::TrainStep step_;
  step::RetraceMonitor monitor_;
  std::vector<step::Retrace> retraces_;
};

}  // namespace myxtts::train
