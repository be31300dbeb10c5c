#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/core_load.h"
#include "config/config.h"
#include "pipeline/lanes.h"
#include "pipeline/shape_plan.h"
#include "rules/record.h"
#include "train/corpora.h"
#include "train/data_loader.h"
#include "train/memory_budget.h"
#include "train/request.h"
#include "train/run_parts_torch.h"
#include "train/run_profile_torch.h"
#include "train/run_report.h"

namespace xtts::train {

// What is judged; all borrowed.
struct DiagnosedRun {
  const config::Config& config;
  const std::filesystem::path& run;
  const pipeline::LanePlan& lanes;
  const pipeline::ShapePlan& plan;
  const Corpora& corpora;
  const MemoryNeed& memory;
  const DataLoader& data;
  const RunParts& parts;
  RunReport& report;
};

// What limited a run: its last line, and the profile of some of its steps where one was asked for.
// The load by others is counted since it was made. Used from the thread that trains, when no update
// is under way.
class RunDiagnosis {
 public:
  RunDiagnosis(const DiagnosedRun& judged, const TrainRequest& request);

  // Around each step; without `train --profile` they do nothing.
  void step_begins();
  bool is_profiling() const { return profile_.has_value(); }
  bool is_profile_complete() const { return profile_ && profile_->is_complete(); }
  // Says what the profile found. Requires is_profiling().
  void end_profile();

  // Writes record.json, says what limited the run and returns it.
  std::string say_limit();

 private:
  rules::Record record_now() const;

  const DiagnosedRun judged_;
  const base::CoreLoad load_;
  std::optional<RunProfile> profile_;  // until it is complete
};

}  // namespace xtts::train
