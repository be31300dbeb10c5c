// A few real training steps by the real trainer, in a folder that nobody keeps.
#pragma once

#include <filesystem>
#include <vector>

#include "config/resolve.h"
#include "diagnose/run_lanes.h"
#include "rules/record.h"
#include "train/request.h"
#include "train/summary.h"

namespace xtts::diagnose {

// The training that a configuration asks for, cut to `num_steps` and without samples, validations
// and saves on the way. Everything that it writes lies below `folder`.
train::TrainRequest short_run(const config::Resolved& resolved,
                              const std::filesystem::path& folder,
                              int num_steps);

// One update of it.
struct RunStep {
  rules::Step measured;  // with the retraces of this step alone
  double loss = 0.0;     // not finite: the update was refused
};

// What metrics.jsonl (train/metrics_log.h) says of a run's updates, in order. Lines of other kinds
// are passed over, and all but the last 4096. Throws UserError if the file is not there.
std::vector<RunStep> read_run_steps(const std::filesystem::path& metrics);

// What a short run left in its folder.
struct ShortRun {
  train::TrainSummary summary = {};
  std::vector<RunStep> steps = {};
  rules::Record record = {};        // all that the training knew of itself, with these steps
  std::vector<RunLane> lanes = {};  // where it was traced (trace_file_in())
};

std::filesystem::path trace_file_in(const std::filesystem::path& folder);
// All but the summary, which the training itself returns.
ShortRun read_short_run(const std::filesystem::path& folder);

}  // namespace xtts::diagnose
