#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/threads.h"
#include "config/config.h"
#include "pipeline/batch.h"
#include "pipeline/collator.h"
#include "pipeline/shape_plan.h"
#include "step/captured_work_torch.h"
#include "step/graph_device.h"
#include "step/prepare_torch.h"
#include "step/retrace_monitor.h"
#include "train/run_parts_torch.h"

namespace xtts::train {

// How the batches of such a run are made.
pipeline::LoaderSettings loading_of(const config::Config& config, Task trained);

step::BatchFacts batch_facts_of(const config::Config& config,
                                const pipeline::LoaderSettings& loading);

// The step of a run: prepared on the CPU or captured on a GPU for every signature of its plan, or
// eager, and watched in any case. On a GPU the step of a vocoder is eager.
class RunStep {
 public:
  // With dynamic shapes every shape passes, eagerly. Borrows the parts. Captures on the device
  // where there is one, where at most `num_staged` micro-batches wait. On the CPU each thread of
  // the arithmetic has one of the cores.
  RunStep(RunParts& parts,
          const config::TrainingConfig& training,
          const pipeline::ShapePlan& plan,
          const step::BatchFacts& facts,
          std::unique_ptr<step::GraphDevice> device = nullptr,
          std::vector<int> cores = base::usable_cores(),
          std::int64_t num_staged = 1);

  // Once, before the first update and after a save was taken in. Returns what was done, in lines
  // for people. Changes no number.
  std::vector<std::string> prepare();

  // Update number `step`. Returns its report or, when captured, that of the update before it, which
  // there may be none of. A batch outside the plan is refused by its dimension. Where memory of the
  // CPU fails, the update is made again from halves of its batches.
  std::optional<step::LateReport> run(pipeline::Batch& update,
                                      double learning_rate,
                                      double diagonal,
                                      std::int64_t step);

  // When captured, the update that is to be run after those that are known: its inputs go to the
  // device now, as far as there is room. It must live until run() has had it, or forget_ahead().
  void stage_ahead(const pipeline::Batch& update);
  void forget_ahead();

  // Waits for the last update. Its report, if run() has not returned it.
  std::optional<step::LateReport> flush();

  const step::TrainStep& plain() const { return step_; }  // for validations
  const char* kind() const { return captured_ ? "captured" : is_prepared_ ? "prepared" : "eager"; }
  std::vector<step::Retrace> take_retraces();  // since they were last taken

 private:
  std::vector<std::string> capture();
  step::StepReport run_or_split(pipeline::Batch& update,
                                double learning_rate,
                                double diagonal,
                                std::int64_t step);

  RunParts& parts_;
  const std::vector<int> cores_;
  const std::vector<pipeline::Signature> signatures_;
  const step::BatchFacts facts_;
  std::unique_ptr<step::CapturedRun> captured_;
  const bool is_prepared_;
  step::PreparedRunner runner_;
  step::TrainStep step_;
  step::RetraceMonitor monitor_;
  std::vector<step::Retrace> retraces_;
};

}  // namespace xtts::train
