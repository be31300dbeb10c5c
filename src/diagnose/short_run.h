// Runs a few real training steps in a temporary folder and reads their measurements.
#pragma once

#include <filesystem>
#include <vector>

#include "config/resolve.h"
#include "diagnose/run_lanes.h"
#include "rules/record.h"
#include "train/request.h"
#include "train/summary.h"

namespace myxtts::diagnose {

// Returns the training request of a configuration, limited to `num_steps` and without samples,
// validations and intermediate checkpoints. The run writes only below `folder`.
train::TrainRequest short_run(const config::Resolved& resolved,
                              const std::filesystem::path& folder,
                              int num_steps);

// One step of a short run.
struct MeasuredStep {
  rules::Step measured;  // with the retraces of this step alone
  double loss = 0.0;     // not finite: the step was skipped
};

// Returns the last 4096 steps in metrics.jsonl (train/metrics_log.h), in order. Ignores other
// lines. Throws UserError if the file is missing.
std::vector<MeasuredStep> read_run_steps(const std::filesystem::path& metrics);

// The results of a short run.
struct ShortRun {
  train::TrainSummary summary = {};
  std::vector<MeasuredStep> steps = {};
  rules::Record record = {};        // of the run, with these steps
  std::vector<RunLane> lanes = {};  // empty without a trace (trace_file_in())
};

std::filesystem::path trace_file_in(const std::filesystem::path& folder);
// Reads everything except the summary, which the training run returns.
ShortRun read_short_run(const std::filesystem::path& folder);

}  // namespace myxtts::diagnose
