#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/core_load.h"
#include "config/config.h"
#include "data/lanes.h"
#include "data/shape_plan.h"
#include "rules/record.h"
#include "train/corpora.h"
#include "train/data_loader.h"
#include "train/memory_budget.h"
#include "train/request.h"
#include "train/run_parts_torch.h"
#include "train/run_profile_torch.h"
#include "train/run_report.h"

namespace myxtts::train {

// Diagnoses what limited a run: limit line, record.json and profile.

// The inputs of the diagnosis; all borrowed.
struct DiagnosedRun {
  const config::Config& config;
  const std::filesystem::path& run;
  const data::LanePlan& lanes;
  const data::ShapePlan& plan;
  const Corpora& corpora;
  const MemoryNeed& memory;
  const DataLoader& data;
  const RunParts& parts;
  RunReport& report;
};

// Collects the record of a run. Measures the load of other programs since its construction. Call it
// from the model thread, between steps.
class RunDiagnosis {
 public:
  RunDiagnosis(const DiagnosedRun& run, const TrainRequest& request);

  // Call before each step. Does nothing without `train --profile`.
  void begin_step();
  bool is_profiling() const { return profile_.has_value(); }
  bool is_profile_complete() const { return profile_ && profile_->is_complete(); }
  // Logs the results of the profile. Requires is_profiling().
  void end_profile();

  // Writes record.json, logs what limited the speed of the run and returns that line.
  std::string log_bottleneck();

 private:
  rules::Record record_now() const;

  const DiagnosedRun run_;
  const base::CoreLoad load_;
  std::optional<RunProfile> profile_;  // until it is complete
};

}  // namespace myxtts::train
