#pragma once

#include "train/request.h"
#include "train/run_lanes_torch.h"
#include "train/summary.h"

namespace myxtts::train {

// Trains until a limit of the configuration is reached, and resumes if the run folder has
// checkpoints.
//
// Logs to standard error and RUN/log.txt. Throws UsageError and UserError, and base::Interrupted
// after a signal, once a checkpoint is written.
TrainSummary train(const TrainRequest& request);
// Trains on lanes returned by find_lanes().
TrainSummary train(const TrainRequest& request, RunLanes lanes);

}  // namespace myxtts::train
